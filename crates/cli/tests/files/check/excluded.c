#ifdef OTHER
/*@ ensures \result == 1; */
int which(void) { return 1; }
#else
/*@ ensures \result == 2; */
int which(void) { return 2; }
#endif
