/*
 * A tokenizer for a small expression language; tokens point into the text.
 *
 * Out of reach:
 *   skip_blanks      nothing.
 *   next_token       `token->length == 0` behind a name or a number: the first character belongs to it.
 *   next_token       `*text < '0'` in the branch of digits.
 *   count_tokens     `kind > TOKEN_ERROR`: there is no such kind.
 *   classify         the arm `"if"` and `length == 3` at once.
 */
#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SYMBOL, TOKEN_ERROR };

struct token {
    enum token_kind kind;
    const char *start;
    size_t length;
};

static const char *skip_blanks(const char *text)
{
    for (;;) {
        while (*text == ' ' || *text == '\t' || *text == '\n')
            text++;
        if (*text != '#')
            return text;
        while (*text != '\0' && *text != '\n')
            text++;
    }
}

/* Reads one token; the result is the text behind it. */
const char *next_token(const char *text, struct token *token)
{
    text = skip_blanks(text);
    token->start = text;
    if (*text == '\0') {
        token->kind = TOKEN_END;
        token->length = 0;
        return text;
    }
    if (isalpha((unsigned char)*text) || *text == '_') {
        while (isalnum((unsigned char)*text) || *text == '_')
            text++;
        token->kind = TOKEN_NAME;
    } else if (isdigit((unsigned char)*text)) {
        if (*text < '0')
            return NULL;
        while (isdigit((unsigned char)*text))
            text++;
        token->kind = TOKEN_NUMBER;
    } else if (*text == '"') {
        text++;
        while (*text != '"' && *text != '\0')
            text += *text == '\\' && text[1] != '\0' ? 2 : 1;
        token->kind = *text == '"' ? TOKEN_STRING : TOKEN_ERROR;
        if (*text == '"')
            text++;
    } else {
        token->kind = strchr("+-*/()=<>;", *text) != NULL ? TOKEN_SYMBOL : TOKEN_ERROR;
        text++;
    }
    token->length = (size_t)(text - token->start);
    if (token->length == 0)
        return NULL;
    return text;
}

/* The number of tokens, or -1 behind an error. */
int count_tokens(const char *text)
{
    struct token token;
    int count = 0;
    for (;;) {
        text = next_token(text, &token);
        if (token.kind > TOKEN_ERROR)
            return -2;
        if (token.kind == TOKEN_ERROR)
            return -1;
        if (token.kind == TOKEN_END)
            return count;
        count++;
    }
}

/* Which keyword a name is; 0 for none. */
int classify(const char *start, size_t length)
{
    static const char *const keywords[] = {"if", "else", "while", "return"};
    size_t i;
    for (i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (strlen(keywords[i]) == length && memcmp(keywords[i], start, length) == 0) {
            if (i == 0 && length == 3)
                return -1;
            return (int)i + 1;
        }
    }
    return 0;
}

/* Splits a line in place, as `strtok` does; the result is the number of fields. */
int split(char *line, char separator, char *fields[], int max)
{
    int count = 0;
    char *at = line;
    while (count < max) {
        char *end = strchr(at, separator);
        fields[count++] = at;
        if (end == NULL)
            break;
        *end = '\0';
        at = end + 1;
    }
    return count;
}
