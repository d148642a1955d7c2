// Calls what nobody defines.
// status: 2
int nowhere(int);

int main(void) {
    return nowhere(3); //~ `nowhere` is called but defined nowhere
}
