// A tiny virtual machine: an assembler, a big switch, a call stack, and programs that run on it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum opcode { HALT, LOAD, MOVE, ADD, SUB, MUL, MOD, LESS, JUMP, JUMP_ZERO, CALL, RETURN, PRINT, STORE, FETCH, OPCODES };
static const char *const names[OPCODES] = {"halt", "load", "move", "add", "sub", "mul", "mod", "less", "jump", "jz", "call", "ret", "print", "store", "fetch"};
static const char shapes[OPCODES][4] = {"", "rn", "rr", "rrr", "rrr", "rrr", "rrr", "rrr", "l", "rl", "l", "", "r", "rr", "rr"};

struct instruction { uint8_t opcode, registers[3]; int32_t number; };
struct machine { struct instruction code[64]; int length; int64_t registers[8], memory[256]; int stack[32], depth; long steps; };

static int find_label(const char *source, const char *label) {
    int index = 0;
    size_t size = strcspn(label, " \n");
    for (const char *line = source; *line; line = strchr(line, '\n') + 1) {
        if (line[0] == ':' && strncmp(line + 1, label, size) == 0 && line[1 + size] == '\n')
            return index;
        index += line[0] != ':';
    }
    exit(3);
}

static void assemble(struct machine *machine, const char *source) {
    memset(machine, 0, sizeof *machine);
    for (const char *line = source; *line; line = strchr(line, '\n') + 1) {
        if (*line == ':')
            continue;
        struct instruction *instruction = &machine->code[machine->length++];
        size_t size = strcspn(line, " \n");
        int opcode = 0;
        while (strlen(names[opcode]) != size || strncmp(line, names[opcode], size))
            if (++opcode == OPCODES)
                exit(2);
        instruction->opcode = (uint8_t)opcode;
        const char *at = line + size;
        for (int operand = 0; operand < 3 && shapes[opcode][operand]; operand++) {
            at += strspn(at, " ,");
            if (shapes[opcode][operand] == 'r')
                instruction->registers[operand] = (uint8_t)(at[1] - '0');
            else
                instruction->number = shapes[opcode][operand] == 'n' ? (int32_t)strtol(at, NULL, 10) : find_label(source, at);
            at += strcspn(at, " ,\n");
        }
    }
}

static void execute(struct machine *machine) {
    int64_t *r = machine->registers;
    for (int at = 0;;) {
        const struct instruction *instruction = &machine->code[at++];
        const uint8_t a = instruction->registers[0], b = instruction->registers[1], c = instruction->registers[2];
        machine->steps++;
        switch ((enum opcode)instruction->opcode) {
        case HALT: return;
        case LOAD: r[a] = instruction->number; break;
        case MOVE: r[a] = r[b]; break;
        case ADD: r[a] = r[b] + r[c]; break;
        case SUB: r[a] = r[b] - r[c]; break;
        case MUL: r[a] = (int64_t)((uint64_t)r[b] * (uint64_t)r[c]); break;
        case MOD: r[a] = r[b] % r[c]; break;
        case LESS: r[a] = r[b] < r[c]; break;
        case JUMP: at = instruction->number; break;
        case JUMP_ZERO: at = r[a] ? at : instruction->number; break;
        case CALL: machine->stack[machine->depth++] = at, at = instruction->number; break;
        case RETURN: at = machine->stack[--machine->depth]; break;
        case PRINT: printf("%ld ", (long)r[a]); break;
        case STORE: machine->memory[r[a] & 255] = r[b]; break;
        case FETCH: r[a] = machine->memory[r[b] & 255]; break;
        case OPCODES: exit(4);
        }
    }
}

static const char *const programs[] = {
    "load r1, 1\nload r2, 1\nload r3, 20\nload r4, 1\n:loop\nmul r2, r2, r1\nadd r1, r1, r4\nless r5, r3, r1\njz r5, loop\nprint r2\nhalt\n",
    "load r0, 0\nload r1, 1\nload r2, 60\nload r6, 1\n:again\nprint r0\nadd r3, r0, r1\nmove r0, r1\nmove r1, r3\nsub r2, r2, r6\njz r2, end\njump again\n:end\nhalt\n",
    "load r1, 2\nload r7, 1\nload r6, 120\n:outer\nless r2, r1, r6\njz r2, done\nfetch r3, r1\njz r3, prime\njump next\n:prime\nprint r1\ncall mark\n:next\nadd r1, r1, r7\njump outer\n:mark\nadd r4, r1, r1\n:mloop\nless r2, r4, r6\njz r2, mend\nstore r4, r7\nadd r4, r4, r1\njump mloop\n:mend\nret\n:done\nhalt\n",
};

int main(void) {
    for (unsigned index = 0; index < sizeof programs / sizeof *programs; index++) {
        struct machine machine;
        assemble(&machine, programs[index]);
        execute(&machine);
        printf("(%d instructions, %ld steps)\n", machine.length, machine.steps);
    }
    return 0;
}
