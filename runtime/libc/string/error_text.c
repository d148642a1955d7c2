// The texts of errno values and signals: strerror, strsignal and their relatives.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "../internal.h"

int __xpg_strerror_r(int error, char *buffer, size_t size);

struct text {
    const char *name, *description;
};

static const struct text errors[] = {
    [0] = {"0", "Success"},
#define ERROR(name, description) [name] = {#name, description}
    ERROR(EPERM, "Operation not permitted"),
    ERROR(ENOENT, "No such file or directory"),
    ERROR(ESRCH, "No such process"),
    ERROR(EINTR, "Interrupted system call"),
    ERROR(EIO, "Input/output error"),
    ERROR(ENXIO, "No such device or address"),
    ERROR(E2BIG, "Argument list too long"),
    ERROR(ENOEXEC, "Exec format error"),
    ERROR(EBADF, "Bad file descriptor"),
    ERROR(ECHILD, "No child processes"),
    ERROR(EAGAIN, "Resource temporarily unavailable"),
    ERROR(ENOMEM, "Cannot allocate memory"),
    ERROR(EACCES, "Permission denied"),
    ERROR(EFAULT, "Bad address"),
    ERROR(ENOTBLK, "Block device required"),
    ERROR(EBUSY, "Device or resource busy"),
    ERROR(EEXIST, "File exists"),
    ERROR(EXDEV, "Invalid cross-device link"),
    ERROR(ENODEV, "No such device"),
    ERROR(ENOTDIR, "Not a directory"),
    ERROR(EISDIR, "Is a directory"),
    ERROR(EINVAL, "Invalid argument"),
    ERROR(ENFILE, "Too many open files in system"),
    ERROR(EMFILE, "Too many open files"),
    ERROR(ENOTTY, "Inappropriate ioctl for device"),
    ERROR(ETXTBSY, "Text file busy"),
    ERROR(EFBIG, "File too large"),
    ERROR(ENOSPC, "No space left on device"),
    ERROR(ESPIPE, "Illegal seek"),
    ERROR(EROFS, "Read-only file system"),
    ERROR(EMLINK, "Too many links"),
    ERROR(EPIPE, "Broken pipe"),
    ERROR(EDOM, "Numerical argument out of domain"),
    ERROR(ERANGE, "Numerical result out of range"),
    ERROR(EDEADLK, "Resource deadlock avoided"),
    ERROR(ENAMETOOLONG, "File name too long"),
    ERROR(ENOLCK, "No locks available"),
    ERROR(ENOSYS, "Function not implemented"),
    ERROR(ENOTEMPTY, "Directory not empty"),
    ERROR(ELOOP, "Too many levels of symbolic links"),
    ERROR(ENOMSG, "No message of desired type"),
    ERROR(EIDRM, "Identifier removed"),
    ERROR(ECHRNG, "Channel number out of range"),
    ERROR(EL2NSYNC, "Level 2 not synchronized"),
    ERROR(EL3HLT, "Level 3 halted"),
    ERROR(EL3RST, "Level 3 reset"),
    ERROR(ELNRNG, "Link number out of range"),
    ERROR(EUNATCH, "Protocol driver not attached"),
    ERROR(ENOCSI, "No CSI structure available"),
    ERROR(EL2HLT, "Level 2 halted"),
    ERROR(EBADE, "Invalid exchange"),
    ERROR(EBADR, "Invalid request descriptor"),
    ERROR(EXFULL, "Exchange full"),
    ERROR(ENOANO, "No anode"),
    ERROR(EBADRQC, "Invalid request code"),
    ERROR(EBADSLT, "Invalid slot"),
    ERROR(EBFONT, "Bad font file format"),
    ERROR(ENOSTR, "Device not a stream"),
    ERROR(ENODATA, "No data available"),
    ERROR(ETIME, "Timer expired"),
    ERROR(ENOSR, "Out of streams resources"),
    ERROR(ENONET, "Machine is not on the network"),
    ERROR(ENOPKG, "Package not installed"),
    ERROR(EREMOTE, "Object is remote"),
    ERROR(ENOLINK, "Link has been severed"),
    ERROR(EADV, "Advertise error"),
    ERROR(ESRMNT, "Srmount error"),
    ERROR(ECOMM, "Communication error on send"),
    ERROR(EPROTO, "Protocol error"),
    ERROR(EMULTIHOP, "Multihop attempted"),
    ERROR(EDOTDOT, "RFS specific error"),
    ERROR(EBADMSG, "Bad message"),
    ERROR(EOVERFLOW, "Value too large for defined data type"),
    ERROR(ENOTUNIQ, "Name not unique on network"),
    ERROR(EBADFD, "File descriptor in bad state"),
    ERROR(EREMCHG, "Remote address changed"),
    ERROR(ELIBACC, "Can not access a needed shared library"),
    ERROR(ELIBBAD, "Accessing a corrupted shared library"),
    ERROR(ELIBSCN, ".lib section in a.out corrupted"),
    ERROR(ELIBMAX, "Attempting to link in too many shared libraries"),
    ERROR(ELIBEXEC, "Cannot exec a shared library directly"),
    ERROR(EILSEQ, "Invalid or incomplete multibyte or wide character"),
    ERROR(ERESTART, "Interrupted system call should be restarted"),
    ERROR(ESTRPIPE, "Streams pipe error"),
    ERROR(EUSERS, "Too many users"),
    ERROR(ENOTSOCK, "Socket operation on non-socket"),
    ERROR(EDESTADDRREQ, "Destination address required"),
    ERROR(EMSGSIZE, "Message too long"),
    ERROR(EPROTOTYPE, "Protocol wrong type for socket"),
    ERROR(ENOPROTOOPT, "Protocol not available"),
    ERROR(EPROTONOSUPPORT, "Protocol not supported"),
    ERROR(ESOCKTNOSUPPORT, "Socket type not supported"),
    ERROR(EOPNOTSUPP, "Operation not supported"),
    ERROR(EPFNOSUPPORT, "Protocol family not supported"),
    ERROR(EAFNOSUPPORT, "Address family not supported by protocol"),
    ERROR(EADDRINUSE, "Address already in use"),
    ERROR(EADDRNOTAVAIL, "Cannot assign requested address"),
    ERROR(ENETDOWN, "Network is down"),
    ERROR(ENETUNREACH, "Network is unreachable"),
    ERROR(ENETRESET, "Network dropped connection on reset"),
    ERROR(ECONNABORTED, "Software caused connection abort"),
    ERROR(ECONNRESET, "Connection reset by peer"),
    ERROR(ENOBUFS, "No buffer space available"),
    ERROR(EISCONN, "Transport endpoint is already connected"),
    ERROR(ENOTCONN, "Transport endpoint is not connected"),
    ERROR(ESHUTDOWN, "Cannot send after transport endpoint shutdown"),
    ERROR(ETOOMANYREFS, "Too many references: cannot splice"),
    ERROR(ETIMEDOUT, "Connection timed out"),
    ERROR(ECONNREFUSED, "Connection refused"),
    ERROR(EHOSTDOWN, "Host is down"),
    ERROR(EHOSTUNREACH, "No route to host"),
    ERROR(EALREADY, "Operation already in progress"),
    ERROR(EINPROGRESS, "Operation now in progress"),
    ERROR(ESTALE, "Stale file handle"),
    ERROR(EUCLEAN, "Structure needs cleaning"),
    ERROR(ENOTNAM, "Not a XENIX named type file"),
    ERROR(ENAVAIL, "No XENIX semaphores available"),
    ERROR(EISNAM, "Is a named type file"),
    ERROR(EREMOTEIO, "Remote I/O error"),
    ERROR(EDQUOT, "Disk quota exceeded"),
    ERROR(ENOMEDIUM, "No medium found"),
    ERROR(EMEDIUMTYPE, "Wrong medium type"),
    ERROR(ECANCELED, "Operation canceled"),
    ERROR(ENOKEY, "Required key not available"),
    ERROR(EKEYEXPIRED, "Key has expired"),
    ERROR(EKEYREVOKED, "Key has been revoked"),
    ERROR(EKEYREJECTED, "Key was rejected by service"),
    ERROR(EOWNERDEAD, "Owner died"),
    ERROR(ENOTRECOVERABLE, "State not recoverable"),
    ERROR(ERFKILL, "Operation not possible due to RF-kill"),
    ERROR(EHWPOISON, "Memory page has hardware error"),
#undef ERROR
};

static const struct text signals[] = {
#define SIGNAL(name, description) [SIG##name] = {#name, description}
    SIGNAL(HUP, "Hangup"),
    SIGNAL(INT, "Interrupt"),
    SIGNAL(QUIT, "Quit"),
    SIGNAL(ILL, "Illegal instruction"),
    SIGNAL(TRAP, "Trace/breakpoint trap"),
    SIGNAL(ABRT, "Aborted"),
    SIGNAL(BUS, "Bus error"),
    SIGNAL(FPE, "Floating point exception"),
    SIGNAL(KILL, "Killed"),
    SIGNAL(USR1, "User defined signal 1"),
    SIGNAL(SEGV, "Segmentation fault"),
    SIGNAL(USR2, "User defined signal 2"),
    SIGNAL(PIPE, "Broken pipe"),
    SIGNAL(ALRM, "Alarm clock"),
    SIGNAL(TERM, "Terminated"),
    SIGNAL(STKFLT, "Stack fault"),
    SIGNAL(CHLD, "Child exited"),
    SIGNAL(CONT, "Continued"),
    SIGNAL(STOP, "Stopped (signal)"),
    SIGNAL(TSTP, "Stopped"),
    SIGNAL(TTIN, "Stopped (tty input)"),
    SIGNAL(TTOU, "Stopped (tty output)"),
    SIGNAL(URG, "Urgent I/O condition"),
    SIGNAL(XCPU, "CPU time limit exceeded"),
    SIGNAL(XFSZ, "File size limit exceeded"),
    SIGNAL(VTALRM, "Virtual timer expired"),
    SIGNAL(PROF, "Profiling timer expired"),
    SIGNAL(WINCH, "Window changed"),
    SIGNAL(POLL, "I/O possible"),
    SIGNAL(PWR, "Power failure"),
    SIGNAL(SYS, "Bad system call"),
#undef SIGNAL
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct text *find(const struct text *table, size_t count, int number)
{
    return number >= 0 && (size_t)number < count && table[number].name != NULL ? &table[number] : NULL;
}

const char *strerrorname_np(int error)
{
    const struct text *text = find(errors, COUNT(errors), error);
    return text == NULL ? NULL : text->name;
}

const char *strerrordesc_np(int error)
{
    const struct text *text = find(errors, COUNT(errors), error);
    return text == NULL ? NULL : text->description;
}

const char *sigabbrev_np(int signal)
{
    const struct text *text = find(signals, COUNT(signals), signal);
    return text == NULL ? NULL : text->name;
}

const char *sigdescr_np(int signal)
{
    const struct text *text = find(signals, COUNT(signals), signal);
    return text == NULL ? NULL : text->description;
}

char *__symcrete_decimal(char *end, long long value)
{
    unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    do {
        *--end = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);
    if (value < 0)
        *--end = '-';
    return end;
}

enum { NUMBERED_TEXT = 48 };

// "Unknown error 4711" and the like.
static const char *numbered(char text[NUMBERED_TEXT], const char *words, long long number)
{
    char *start = __symcrete_decimal(text + NUMBERED_TEXT - 1, number);
    text[NUMBERED_TEXT - 1] = '\0';
    size_t length = strlen(words);
    return memcpy(start - length, words, length);
}

static const char *error_text(int error, char unknown[NUMBERED_TEXT])
{
    const struct text *text = find(errors, COUNT(errors), error);
    return text != NULL ? text->description : numbered(unknown, "Unknown error ", error);
}

char *strerror(int error)
{
    static char unknown[NUMBERED_TEXT];
    return (char *)error_text(error, unknown);
}

char *strerror_l(int error, locale_t locale)
{
    (void)locale;
    return strerror(error);
}

// The GNU kind: the result may or may not be in the buffer.
char *strerror_r(int error, char *buffer, size_t size)
{
    const struct text *known = find(errors, COUNT(errors), error);
    if (known != NULL)
        return (char *)known->description;
    __xpg_strerror_r(error, buffer, size);
    return buffer;
}

// The POSIX kind, which <string.h> maps strerror_r to outside of GNU mode.
int __xpg_strerror_r(int error, char *buffer, size_t size)
{
    char unknown[NUMBERED_TEXT];
    const char *text = error_text(error, unknown);
    size_t length = strlen(text);
    if (size != 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(buffer, text, copied);
        buffer[copied] = '\0';
    }
    if (find(errors, COUNT(errors), error) == NULL)
        return EINVAL;
    return length < size ? 0 : ERANGE;
}

char *__symcrete_strsignal(int signal)
{
    static char unknown[NUMBERED_TEXT];
    const struct text *text = find(signals, COUNT(signals), signal);
    if (text != NULL)
        return (char *)text->description;
    if (signal >= SIGRTMIN && signal <= SIGRTMAX)
        return (char *)numbered(unknown, "Real-time signal ", signal - SIGRTMIN);
    return (char *)numbered(unknown, "Unknown signal ", signal);
}
ALIAS(strsignal, __symcrete_strsignal);
