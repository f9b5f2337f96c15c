/* What comes to MET is a statement for `cover` and `reach`, and a violation for `check`. The comment behind it is the
   verdict that it deserves. */
#ifdef CHECK
#include <assert.h>
#define MET assert(0)
#else
#define MET return 77
#endif
