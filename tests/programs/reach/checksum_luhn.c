// The check digit of card numbers: every second digit counts twice.
#include <symcrete.h>

static int luhn(const char *digits, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        int digit = digits[count - 1 - i] - '0';
        if (i % 2) {
            digit *= 2;
            if (digit > 9)
                digit -= 9;
        }
        sum += digit;
    }
    return sum % 10;
}

int main(void) {
    char digits[8];
    symcrete_make_symbolic(digits, sizeof digits, "digits");
    for (int i = 0; i < 8; i++)
        symcrete_assume(digits[i] >= '0' && digits[i] <= '9');
    if (digits[0] != '4' || digits[1] != '9')
        return 0;
    if (luhn(digits, 8) == 0 && digits[7] == '3' && digits[6] == '8')
        return 1; //~ reached
    return 2;
}
