/* What a program may do by mistake or on purpose, one deed for each word. A deed that must fail prints what became of it and
 * exits with 0 if it was denied, with 1 if it succeeded; the test looks at the outside, too. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static int denied(const char *what, long result)
{
    printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
    return result >= 0;
}

static char path[4096];

static const char *in(const char *folder, const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int delete_files(const char *folder)
{
    char relative[4096] = "../../../../../../../../../../..";
    strncat(relative, in(folder, "victim"), sizeof relative - 100);
    return denied("unlink", unlink(in(folder, "victim"))) | denied("unlink relative", unlink(relative)) |
           denied("rmdir", rmdir(in(folder, "empty"))) | denied("unlinkat", unlinkat(AT_FDCWD, relative, 0));
}

static int overwrite(const char *folder)
{
    int bad = denied("open", open(in(folder, "victim"), O_WRONLY)) |
              denied("open O_RDWR", open(in(folder, "victim"), O_RDWR)) |
              denied("creat", creat(in(folder, "new"), 0666)) | denied("mkdir", mkdir(in(folder, "folder"), 0777)) |
              denied("mkfifo", mkfifo(in(folder, "fifo"), 0666)) |
              denied("mknod", mknod(in(folder, "node"), S_IFREG | 0666, 0)) |
              denied("symlink", symlink("/", in(folder, "symlink")));
    char there[4096] = "../../../../../../../../../../..";
    strncat(there, in(folder, "relative"), sizeof there - 100);
    return bad | denied("relative creat", creat(there, 0666));
}

static int follow_links(const char *folder)
{
    int bad = denied("link in", link(in(folder, "victim"), "mine"));
    if (symlink(folder, "out") != 0)
        return 2;
    bad |= denied("through a link", open("out/victim", O_WRONLY)) | denied("unlink through a link", unlink("out/victim")) |
           denied("creat through a link", creat("out/new", 0666));
    FILE *file = fopen("own", "w");
    if (!file)
        return 2;
    fclose(file);
    return bad | denied("link out", link("own", in(folder, "linked"))) | denied("rename out", rename("own", in(folder, "moved")));
}

static int rename_over(const char *folder)
{
    char other[4096];
    snprintf(other, sizeof other, "%s/renamed", folder);
    return denied("rename", rename(in(folder, "victim"), other)) | denied("rename in", rename(in(folder, "victim"), "mine"));
}

static int truncate_files(const char *folder)
{
    return denied("truncate", truncate(in(folder, "victim"), 0)) |
           denied("O_TRUNC", open(in(folder, "victim"), O_WRONLY | O_TRUNC)) |
           denied("O_RDONLY and O_TRUNC", open(in(folder, "victim"), O_RDONLY | O_TRUNC));
}

static int change_metadata(const char *folder)
{
    const char *victim = in(folder, "victim");
    struct timeval times[2] = {{1, 0}, {1, 0}};
    return denied("chmod", chmod(victim, 0)) | denied("chown", chown(victim, 1, 1)) |
           denied("utimes", utimes(victim, times)) | denied("setxattr", setxattr(victim, "user.x", "1", 1, 0)) |
           denied("fchmodat", fchmodat(AT_FDCWD, victim, 0777, 0)) |
           denied("file flags", ioctl(open(victim, O_RDONLY), FS_IOC_SETFLAGS, &(int){FS_NODUMP_FL}));
}

static int fork_without_end(void)
{
    for (long i = 0; i < 1000000; i++) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                pause();
        if (child < 0) {
            printf("after %ld: %s\n", i, strerror(errno));
            return i > 100000;
        }
    }
    return 1;
}

/* Every child makes children. */
static int fork_bomb(void)
{
    for (;;)
        fork();
}

static int make_daemon(const char *name)
{
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child < 0)
            return 2;
        if (child > 0) {
            if (i == 0) {
                waitpid(child, NULL, 0);
                return 0;
            }
            _exit(0);
        }
        setsid();
    }
    /* A name that the test looks for, still running when the test is over. */
    prctl(PR_SET_NAME, name);
    for (int i = 0; i < 600; i++)
        usleep(100000);
    return 0;
}

static int kill_others(const char *pid)
{
    int bad = 0;
    pid_t outer = atoi(pid);
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
    kill(getppid(), SIGKILL);
    kill(getppid(), SIGTERM);
    if (outer != getpid() && outer != getppid() && outer > 4)
        bad |= denied("kill", kill(outer, SIGKILL));
    for (pid_t other = 2; other < 70000; other++)
        if (other != getpid() && other != getpgrp())
            kill(other, SIGKILL);
    kill(-1, SIGTERM);
    return bad;
}

static int use_network(const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int bad = denied("connect", fd < 0 ? -1 : connect(fd, (struct sockaddr *)&address, sizeof address));
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    /* Nobody answers; what counts is that nothing arrives. */
    if (fd >= 0)
        sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
    return bad;
}

static int use_named_socket(const char *folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return denied("connect", fd < 0 ? -1 : connect(fd, (struct sockaddr *)&address, sizeof address));
}

/* Through a pair of sockets that needs no permission to be made. */
static int send_datagrams(const char *folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/datagrams", folder);
    int pair[2] = {-1, -1};
    /* Some kinds go to the other end all the same; what counts is that nothing arrives. */
    for (int type = 1; type <= 5; type++)
        if (socketpair(AF_UNIX, type, 0, pair) == 0) {
            denied("sendto", sendto(pair[0], "x", 1, 0, (struct sockaddr *)&address, sizeof address));
            denied("connect", connect(pair[1], (struct sockaddr *)&address, sizeof address));
            denied("write", write(pair[1], "x", 1));
        }
    return 0;
}

static int write_to_fifo(const char *folder)
{
    int fd = open(in(folder, "fifo"), O_WRONLY | O_NONBLOCK);
    return denied("a fifo that somebody reads", fd < 0 ? -1 : write(fd, "x", 1));
}

enum { KEY = 0x5e7c, DEPTH = 3000 };

/* What the next job must not find. */
static int leave_traces(void)
{
    char name[] = "/traces";
    int made = msgget(KEY, IPC_CREAT | 0666), more = semget(KEY, 1, IPC_CREAT | 0666);
    long shared = shmget(KEY, 1, IPC_CREAT | 0666);
    int queue = (int)syscall(SYS_mq_open, name + 1, O_CREAT | O_RDWR, 0666, NULL);
    printf("queues: %d %d %ld %d\n", made, more, shared, queue);
    printf("attributes: %d %d\n", setxattr(".", "user.trace", "x", 1, 0), setxattr("/tmp", "user.trace", "x", 1, 0));
    printf("priority: %d\n", setpriority(PRIO_USER, 0, 5));
    for (int i = 0; i < DEPTH; i++)
        if (mkdir("a-directory", 0700) != 0 || chdir("a-directory") != 0)
            break;
    close(open("file", O_CREAT | O_WRONLY, 0600));
    chmod(".", 0);
    return 0;
}

static int find_traces(void)
{
    struct stat about;
    int bad = denied("msgget", msgget(KEY, 0)) | denied("semget", semget(KEY, 1, 0)) | denied("shmget", shmget(KEY, 1, 0));
    bad |= denied("mq_open", syscall(SYS_mq_open, "traces", O_RDWR, 0, NULL));
    bad |= denied("an attribute", getxattr(".", "user.trace", NULL, 0)) | denied("of /tmp", getxattr("/tmp", "user.trace", NULL, 0));
    return bad | denied("a directory", stat("a-directory", &about)) | denied("a priority", getpriority(PRIO_PROCESS, 0) ? 0 : -1);
}

static int fill_disk(void)
{
    static char block[1 << 20];
    long long written = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 100000; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/file%d", i % 2 ? "." : "/tmp", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0666);
        if (fd < 0 && i % 2 == 0)
            continue;
        if (fd < 0)
            break;
        memset(block, i, sizeof block);
        ssize_t count = 1;
        while (count > 0 && (count = write(fd, block, sizeof block)) > 0)
            written += count;
        if (errno == ENOSPC)
            break;
        close(fd);
    }
    printf("%lld MiB\n", written >> 20);
    return written > 2LL << 30;
}

static int eat_memory(void)
{
    for (int i = 0; i < 40; i++)
        if (fork() == 0)
            for (;;) {
                char *memory = mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                if (memory == MAP_FAILED) {
                    pause();
                    continue;
                }
                memset(memory, 1, 64 << 20);
            }
    for (;;)
        pause();
}

static int write_to_processes(const char *pid)
{
    int bad = 0;
    const char *files[] = {"mem", "oom_score_adj", "comm", "coredump_filter", "autogroup", "environ"};
    char name[100];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int who = 0; who < 2; who++) {
            int number = who ? atoi(pid) : getppid();
            if (who && (number == getpid() || number <= 4))
                continue;
            snprintf(name, sizeof name, "/proc/%d/%s", number, files[i]);
            bad |= denied(name, open(name, O_WRONLY));
        }
    bad |= denied("sysctl", open("/proc/sys/kernel/core_pattern", O_WRONLY)) |
           denied("sysrq", open("/proc/sysrq-trigger", O_WRONLY));
    return bad;
}

static int leave_fifos(void)
{
    mkdir("folder", 0777);
    int bad = mkfifo("fifo", 0666) != 0 || mkfifo("folder/fifo", 0) != 0;
    chmod("folder", 0);
    return bad;
}

static int change_limits(const char *pid)
{
    struct rlimit limit = {1, 1};
    pid_t outer = atoi(pid);
    int bad = 0;
    if (outer > 4) {
        bad |= denied("prlimit", prlimit(outer, RLIMIT_NOFILE, &limit, NULL));
        bad |= denied("setpriority", setpriority(PRIO_PROCESS, outer, 19));
    }
    limit = (struct rlimit){64, 64};
    bad |= denied("prlimit of the parent", prlimit(getppid(), RLIMIT_NOFILE, &limit, NULL));
    bad |= denied("setpriority of the parent", setpriority(PRIO_PROCESS, getppid(), 19));
    bad |= denied("setpriority of the user", setpriority(PRIO_USER, 0, 19));
    return bad | denied("setuid", setuid(0)) | denied("mount", unshare(0x10020000));
}

static int see_home(const char *home)
{
    DIR *folder = opendir(home);
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    printf("%d entries, %s\n", count, folder ? "opened" : strerror(errno));
    return count > 0;
}

extern char **environ;

static int see_surroundings(void)
{
    int bad = 0;
    for (char **variable = environ; *variable; variable++)
        bad |= denied(*variable, strncmp(*variable, "GIVEN=", 6) == 0 ? -1 : 0);
    for (int fd = 3; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            bad |= denied("an open descriptor", fd);
    return bad;
}

int main(int argc, char **argv)
{
    const char *deed = argv[1], *argument = argc > 2 ? argv[2] : "";
    setvbuf(stdout, NULL, _IONBF, 0);
    if (strcmp(deed, "nothing") == 0)
        return 0;
    if (strcmp(deed, "delete") == 0)
        return delete_files(argument);
    if (strcmp(deed, "overwrite") == 0)
        return overwrite(argument);
    if (strcmp(deed, "links") == 0)
        return follow_links(argument);
    if (strcmp(deed, "rename") == 0)
        return rename_over(argument);
    if (strcmp(deed, "truncate") == 0)
        return truncate_files(argument);
    if (strcmp(deed, "metadata") == 0)
        return change_metadata(argument);
    if (strcmp(deed, "forks") == 0)
        return fork_without_end();
    if (strcmp(deed, "bomb") == 0)
        return fork_bomb();
    if (strcmp(deed, "daemon") == 0)
        return make_daemon(argument);
    if (strcmp(deed, "kill") == 0)
        return kill_others(argument);
    if (strcmp(deed, "network") == 0)
        return use_network(argument);
    if (strcmp(deed, "socket") == 0)
        return use_named_socket(argument);
    if (strcmp(deed, "datagrams") == 0)
        return send_datagrams(argument);
    if (strcmp(deed, "fifo") == 0)
        return write_to_fifo(argument);
    if (strcmp(deed, "traces") == 0)
        return leave_traces();
    if (strcmp(deed, "traces-gone") == 0)
        return find_traces();
    if (strcmp(deed, "disk") == 0)
        return fill_disk();
    if (strcmp(deed, "memory") == 0)
        return eat_memory();
    if (strcmp(deed, "processes") == 0)
        return write_to_processes(argument);
    if (strcmp(deed, "fifos") == 0)
        return leave_fifos();
    if (strcmp(deed, "limits") == 0)
        return change_limits(argument);
    if (strcmp(deed, "home") == 0)
        return see_home(argument);
    if (strcmp(deed, "surroundings") == 0)
        return see_surroundings();
    if (strcmp(deed, "abort") == 0)
        abort();
    if (strcmp(deed, "sleep") == 0)
        for (;;)
            pause();
    return 3;
}
