/* Functions of newer C and C++ libraries that conformance_test_runner was linked
   with, by those of any version. */
#include <stdlib.h>

long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }

/* Libraries before GLIBCXX_3.4.32 expect each program to construct an
   std::ios_base::Init; later ones have this function instead. */
void _ZSt21ios_base_library_initv(void) {}
void _ZNSt8ios_base4InitC1Ev(void *);
static char streams[16];
__attribute__((constructor)) static void start(void) { _ZNSt8ios_base4InitC1Ev(streams); }
