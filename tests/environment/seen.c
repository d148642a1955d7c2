// What a test finds around it. Ends with the number of what is not as docs/book/src/reference/environment.md says.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;
void klee_make_symbolic(void *, unsigned long, const char *);

static int entries(const char *path) {
    DIR *folder = opendir(path);
    int count = 0;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder != NULL)
        closedir(folder);
    return folder == NULL ? -1 : count;
}

static int check_environment(void) {
    static const char *const expected[] = {"LC_ALL=C", "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC0"};
    for (int i = 0; i < 3; i++) {
        if (environ[i] == NULL || strcmp(environ[i], expected[i]) != 0)
            return 20 + i;
    }
    return environ[3] != NULL ? 23 : 0;
}

int main(void) {
    int first_errno = errno;
    char byte;
    klee_make_symbolic(&byte, 1, "byte");
    if (first_errno != 0)
        return 10;
    int wrong = check_environment();
    if (wrong != 0)
        return wrong;
    if (entries(".") != 0)
        return 30;
#ifdef FILES
    struct stat status;
    if (entries("/root") > 0 || entries("/home") > 0)
        return 31;
    char path[100];
    if (getcwd(path, sizeof path) == NULL || strcmp(path, "/scratch") != 0 || getuid() != 1000)
        return 34;
    if (entries("/tmp") != 0 || stat("/tmp", &status) != 0 || (status.st_mode & 07777) != 01777)
        return 32;
    if (entries("/usr") < 1 || access("/etc/passwd", R_OK) != 0)
        return 33;
#endif
    return byte == 'x';
}
