// Bit-fields of several widths, signed and unsigned, within two bytes.
// paths: 4
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

struct packet {
    unsigned short kind : 3;
    signed short delta : 5;
    unsigned short flag : 1;
    unsigned short length : 7;
};

int main(void) {
    struct packet packet;
    klee_make_symbolic(&packet, sizeof packet, "packet");
    if (packet.kind == 7) {
        packet.kind++; // wraps to 0
        if (packet.kind != 0)
            return 9;
        return packet.delta == -16 ? 1 : 2;
    }
    if (packet.flag && packet.length > 100)
        return packet.delta < 0 ? 3 : 4;
    packet.delta += 8;
    return packet.delta < -8 ? 5 : 6;
}
