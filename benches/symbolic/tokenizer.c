// A tokenizer of five symbolic characters: (7^6 - 1) / 6 paths, as tokenizer.h derives.
// domain: text char = '0' 'a' ' ' '+' '_' 0 ':' '{'
// paths: 19608
// findings: none
#define LENGTH 5
#include "tokenizer.h"
