// A tokenizer of six symbolic characters, for more than one job: (7^7 - 1) / 6 paths, as tokenizer.h derives.
// domain: text char = '0' 'a' ' ' '+' '_' 0 ':' '{'
// paths: 137257
// findings: none
#define LENGTH 6
#include "tokenizer.h"
