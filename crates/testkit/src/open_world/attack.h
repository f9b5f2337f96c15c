/* What programs under attack, with marks in them, and the world around them share. */
#ifndef QA_ATTACK_H
#define QA_ATTACK_H

#include <stddef.h>

/* What a run does that some assumption says it does not, by the kinds that reports have for assumptions. */
enum qa_departure {
    QA_SHAPE = 1,
    QA_LENGTH = 2,
    QA_LARGE_ARRAY = 4,
    QA_CONTENT = 8,
    QA_UNION = 16,
    QA_NO_OVERLAP = 32,
    QA_ALLOCATION = 64,
    QA_FUNCTION = 128,
    QA_WORLD = 256
};

/* The types of all programs. */
struct node { int v; struct node *next; };
struct dev { int id; unsigned char state; short level; int *out; int (*hook)(int); };
struct box { int *p; int n; };
struct small { unsigned char a; short b; };
union word { int i; unsigned char b[4]; unsigned short h[2]; };

/* Marks: what a run comes to. */
void qa_statement(int slot, int line);
int qa_decision(int slot, int truth);
int qa_condition(int slot, int truth);
long qa_switch(int slot, long value, int count, const long *labels);
void qa_assertion(int slot, int truth);
int qa_line(int line);
/* From here on the run has done something undefined. */
void qa_undefined(void);

/* Functions of the program are entered and left. */
struct qa_frame { int depth; long kept; };
struct qa_frame qa_enter(int line);
void qa_leave(struct qa_frame *frame);
/* Objects of a block end with it. */
struct qa_frame qa_open(void);
void qa_close(struct qa_frame *frame);
#define QA_ENTER(line) __attribute__((cleanup(qa_leave), unused)) struct qa_frame qa_frame_ = qa_enter(line)
#define QA_SCOPE __attribute__((cleanup(qa_close), unused)) struct qa_frame qa_scope_ = qa_open()

#define QA_SWITCH(slot, value, ...) \
    qa_switch(slot, value, sizeof((long[]){__VA_ARGS__}) / sizeof(long), (long[]){__VA_ARGS__})
/* The value of something volatile. */
#define QA_VOLATILE(x) \
    ({ __typeof__((x) + 0) qa_v = (x); if (qa_chance(60)) qa_v = (__typeof__(x))qa_number(); qa_v; })
/* The value of an object that may not be initialised. */
#define QA_MAYBE(set, x) (*({ if (!(set)) qa_undefined(); &(x); }))

/* Random choices. */
unsigned long qa_bits(void);
int qa_chance(int percent);
int qa_below(int n);
long qa_number(void);
double qa_real(void);

/* What the world does. */
void qa_depart(int departure);
int qa_result(void);
/* Whether a function of the world writes through a pointer that it was given. */
int qa_writes(const void *pointer);
/* Whatever functions of the world may do besides what their arguments tell: change globals and what they were given
   earlier, call back, call functions of the program. */
void qa_world(void);

typedef void qa_writer(void *object);
void qa_write_int(void *object);
void qa_write_dev(void *object);
void qa_write_node(void *object);
/* Remembers memory that was handed out. */
void qa_keep(void *object, size_t size, qa_writer *writer);
void qa_keep_int(int *object);
/* One that was handed out, or null. */
int *qa_kept_int(void);
void qa_keep_callback(int (*callback)(int, void *), void *context);
/* The number of elements that really are there, at most so many. */
size_t qa_room(const void *object, size_t size, size_t most);
void *qa_malloc(size_t size);

/* Values for parameters. */
int *qa_ints(void);
int *qa_counted(int n);
unsigned char *qa_buffer(unsigned n);
char *qa_text(void);
struct node *qa_list(void);
struct node **qa_link(void);
struct dev *qa_dev(void);
struct box *qa_box(void);
union word *qa_union(void);
int (*qa_hook(void))(int);
int (*qa_own_hook(void))(int);

/* What the world around one program says. */
void qa_call(int which);
extern const int qa_calls;
/* Gives other values to globals that the program shares with the world. */
void qa_change_global(int which);
extern const int qa_globals;
/* Objects of the world, before anything runs. */
void qa_start(void);
extern const long qa_constants[];
extern const int qa_constant_count;
extern const unsigned long qa_devices[];
extern const int qa_device_count;

#endif
