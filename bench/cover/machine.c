/* A small machine with four registers: a program of bytes, decoded by a switch. */

enum code { STOP, LOAD, ADD, SUB, JUMP_ZERO, SWAP, OUT };

int registers[4];

int step(unsigned char instruction, int operand)
{
    int target = instruction >> 4 & 3;

    switch (instruction & 15) {
    case STOP:
        return 1;
    case LOAD:
        registers[target] = operand;
        break;
    case ADD:
        if (operand > 0 && registers[target] > 1000000 - operand)
            return 2;
        if (registers[target] < -1000000 || operand < -1000000)
            return 3;
        registers[target] += operand;
        break;
    case SUB:
        if (operand < 0 || registers[target] < operand)
            return 4;
        registers[target] -= operand;
        break;
    case JUMP_ZERO:
        if (registers[target] == 0)
            return 5;
        return 6;
    case SWAP: {
        int kept = registers[0];
        registers[0] = registers[target];
        registers[target] = kept;
        break;
    }
    case OUT:
        if (registers[target] == operand && target == 3)
            return 7;
        break;
    default:
        return -1;
    }
    return 0;
}

int execute(const unsigned char program[8])
{
    int at = 0, written = 0, steps = 0;

    for (int i = 0; i < 4; i++)
        registers[i] = 0;
    while (at >= 0 && at < 8 && steps < 12) {
        unsigned char instruction = program[at];
        steps++;
        at++;
        switch (instruction & 15) {
        case STOP:
            if (registers[0] == 9 && written == 1)
                return 99;
            return written;
        case LOAD:
            registers[instruction >> 4 & 3] = instruction >> 6;
            break;
        case ADD:
            registers[0] += registers[instruction >> 4 & 3];
            break;
        case SUB:
            registers[0] -= registers[instruction >> 4 & 3];
            break;
        case JUMP_ZERO:
            if (registers[0] == 0)
                at = instruction >> 4 & 7;
            break;
        case OUT:
            written++;
            break;
        default:
            return -1;
        }
    }
    if (steps == 12)
        return -2;
    return -3;
}
