/* An interpreter whose program is an input. */
int f(const unsigned char *code, int n, int x)
{
    int st[64], sp = 0, pc = 0, fuel = 500;
    st[0] = x;
    if (n < 1 || n > 64)
        return -1;
    while (pc < n && fuel-- > 0)
        switch (code[pc++] & 7) {
        case 0:
            if (sp > 0) {
                st[sp - 1] ^= st[sp];
                sp--;
            }
            break;
        case 1:
            if (sp < 63) {
                st[sp + 1] = st[sp];
                sp++;
            }
            break;
        case 2: st[sp] = (int)((unsigned)st[sp] * 3u); break;
        case 3:
            if (st[sp] > 0)
                pc = st[sp] % n;
            break;
        case 4: st[sp] ^= pc; break;
        case 5:
            if (sp)
                sp--;
            break;
        case 6: st[sp] = ~st[sp]; break;
        default:
            if (st[sp] == 31337)
                return 1;
        }
    return fuel == 0 ? 2 : 0;
}
