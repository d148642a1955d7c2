//! The filter over system calls, as a program for the kernel's BPF machine.
//!
//! By hand, because programs under test may be 32-bit ones, which `seccompiler` does not know: one filter holds a section
//! for each of the two architectures that an x86-64 kernel runs, made from one table of rules.

use libc::{EACCES, EAFNOSUPPORT, ENOSYS, EOPNOTSUPP, EPERM, sock_filter};
use syscalls::{x86, x86_64};

/// Calls that fail with an error, under a condition on an argument if there is one.
pub struct Rule {
    calls: &'static [&'static str],
    when: When,
    errno: i32,
}

enum When {
    Always,
    /// The bits of an argument that are in the mask have this value.
    Is {
        argument: u32,
        mask: u32,
        value: u32,
    },
    /// Some of these bits of an argument are set.
    HasAny {
        argument: u32,
        bits: u32,
    },
    /// An argument has none of these values.
    IsNone {
        argument: u32,
        values: Vec<u32>,
    },
}

/// `CLONE_NEW*`, all of them.
const NEW_NAMESPACES: u32 = 0x7E02_0000;

const fn always(calls: &'static [&'static str], errno: i32) -> Rule {
    Rule { calls, when: When::Always, errno }
}

/// The type of a socket, without its flags.
const SOCKET_TYPE: u32 = 0xF;

/// Calls that fail if an argument has this value.
const fn one(argument: u32, value: u32, calls: &'static [&'static str]) -> Rule {
    Rule { calls, when: When::Is { argument, mask: u32::MAX, value }, errno: EPERM }
}

/// What no program under test may do, whatever else keeps it in.
fn general() -> Vec<Rule> {
    vec![
        always(
            &[
                "mount",
                "umount",
                "umount2",
                "pivot_root",
                "chroot",
                "open_tree",
                "move_mount",
                "fsopen",
                "fsconfig",
                "fsmount",
                "fspick",
                "mount_setattr",
                "open_tree_attr",
                "unshare",
                "setns",
                "swapon",
                "swapoff",
                "reboot",
                "acct",
                "quotactl",
                "quotactl_fd",
                "syslog",
                "kexec_load",
                "kexec_file_load",
                "init_module",
                "finit_module",
                "delete_module",
                "iopl",
                "ioperm",
                "bpf",
                "perf_event_open",
                "add_key",
                "request_key",
                "keyctl",
                "open_by_handle_at",
                "vhangup",
                "lookup_dcookie",
                "nfsservctl",
                "settimeofday",
                "clock_settime",
                "clock_settime64",
                "clock_adjtime",
                "clock_adjtime64",
                "adjtimex",
                "stime",
                "sethostname",
                "setdomainname",
                "fanotify_init",
                "fanotify_mark",
                "move_pages",
                "migrate_pages",
                "pidfd_getfd",
                "socketcall",
                // Of 32-bit programs: queues and shared memory, under one number.
                "ipc",
            ],
            EPERM,
        ),
        // Memory that belongs to no process is not seen by who watches over memory; and what may be done with a ring
        // is not seen by this filter.
        always(
            &[
                "memfd_create",
                "memfd_secret",
                "shmget",
                "userfaultfd",
                "io_uring_setup",
                "io_uring_enter",
                "io_uring_register",
                "clone3",
            ],
            ENOSYS,
        ),
        Rule { calls: &["clone"], when: When::HasAny { argument: 0, bits: NEW_NAMESPACES }, errno: EPERM },
        // The supervisor, which is no process of the program's, and everybody: as where others' processes run.
        Rule { calls: &["kill"], when: When::Is { argument: 0, mask: u32::MAX, value: 1 }, errno: EPERM },
        Rule { calls: &["kill"], when: When::Is { argument: 0, mask: u32::MAX, value: u32::MAX }, errno: EPERM },
        // The supervisor is number 1 where processes have a namespace. Its limits are those of the next job.
        one(0, 1, &["prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"]),
        one(1, 1, &["setpriority"]),
        // Of groups and users: the supervisor belongs to them, and where users are shared, the user's other processes.
        Rule {
            calls: &["setpriority"],
            when: When::IsNone { argument: 0, values: vec![libc::PRIO_PROCESS] },
            errno: EPERM,
        },
        // A pair of these sends datagrams to names in the file system.
        Rule {
            calls: &["socketpair"],
            when: When::Is { argument: 1, mask: SOCKET_TYPE, value: libc::SOCK_DGRAM as u32 },
            errno: EACCES,
        },
        Rule {
            calls: &["socketpair"],
            when: When::Is { argument: 1, mask: SOCKET_TYPE, value: libc::SOCK_RAW as u32 },
            errno: EACCES,
        },
        // Sockets with names in the file system lead to whoever listens there.
        Rule {
            calls: &["socket"],
            when: When::Is { argument: 0, mask: u32::MAX, value: libc::AF_UNIX as u32 },
            errno: EACCES,
        },
        Rule {
            calls: &["socket"],
            when: When::IsNone { argument: 0, values: vec![libc::AF_INET as u32, libc::AF_INET6 as u32] },
            errno: EAFNOSUPPORT,
        },
    ]
}

/// The `ioctl` requests of one letter: file systems have some.
const fn of_file_systems(letter: u8) -> Rule {
    let value = (letter as u32) << 8;
    Rule { calls: &["ioctl"], when: When::Is { argument: 1, mask: 0xFF00, value }, errno: EPERM }
}

/// What Landlock does not see, in any version or in versions before some. `own` is the process that the filter is for.
fn beside_landlock(abi: u32, own: u32) -> Vec<Rule> {
    let others =
        |argument: u32, values: Vec<u32>, calls| Rule { calls, when: When::IsNone { argument, values }, errno: EPERM };
    let mut rules = vec![
        always(
            &[
                "chmod",
                "fchmod",
                "fchmodat",
                "fchmodat2",
                "chown",
                "fchown",
                "lchown",
                "fchownat",
                "chown32",
                "fchown32",
                "lchown32",
                "utime",
                "utimes",
                "futimesat",
                "utimensat",
                "utimensat_time64",
                "setxattr",
                "lsetxattr",
                "fsetxattr",
                "setxattrat",
                "removexattr",
                "lremovexattr",
                "fremovexattr",
                "removexattrat",
                "file_setattr",
                "socket",
                "mq_open",
                "mq_unlink",
                "msgget",
                "msgctl",
                "msgsnd",
                "msgrcv",
                "semget",
                "semctl",
                "semop",
                "semtimedop",
                "semtimedop_time64",
                "shmat",
                "shmctl",
                "pidfd_send_signal",
                "process_madvise",
                "process_mrelease",
                "process_vm_writev",
                "ioprio_set",
            ],
            EPERM,
        ),
        always(&["openat2"], ENOSYS),
        // Space that is reserved faster than the supervisor looks. The C library writes instead.
        always(&["fallocate"], EOPNOTSUPP),
        // Attributes of files, through descriptors that were opened for reading.
        of_file_systems(b'f'),
        of_file_systems(b'v'),
        of_file_systems(b'X'),
        of_file_systems(0x94),
        others(
            0,
            vec![0, own],
            &["sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr", "prlimit64"],
        ),
        others(1, vec![0, own], &["setpriority"]),
    ];
    if abi < 3 {
        rules.push(always(&["truncate", "truncate64"], EPERM));
        // Opened for reading, and cut off all the same.
        let opens = |argument, calls| Rule {
            calls,
            when: When::Is {
                argument,
                mask: (libc::O_TRUNC | libc::O_ACCMODE) as u32,
                value: (libc::O_TRUNC | libc::O_RDONLY) as u32,
            },
            errno: EPERM,
        };
        rules.extend([opens(1, &["open"]), opens(2, &["openat"])]);
    }
    if abi < 6 {
        rules.push(others(0, vec![0, own, own.wrapping_neg()], &["kill"]));
        rules.push(others(0, vec![own], &["tgkill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"]));
        // A descriptor can be made to signal its owner.
        let owner = |value| Rule {
            calls: &["fcntl", "fcntl64"],
            when: When::Is { argument: 1, mask: u32::MAX, value },
            errno: EPERM,
        };
        rules.extend([owner(libc::F_SETOWN as u32), owner(15)]);
        let owner =
            |value| Rule { calls: &["ioctl"], when: When::Is { argument: 1, mask: u32::MAX, value }, errno: EPERM };
        rules.extend([owner(0x8901), owner(0x8902)]);
    }
    rules
}

/// The filter for a program in namespaces.
pub fn in_namespaces() -> Vec<sock_filter> {
    assemble(&general())
}

/// The filter beside Landlock of this version, for this process.
pub fn with_landlock(abi: u32, own: u32) -> Vec<sock_filter> {
    let mut rules = beside_landlock(abi, own);
    rules.extend(general());
    assemble(&rules)
}

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

const ARCH_X86_64: u32 = 0xC000_003E;
const ARCH_I386: u32 = 0x4000_0003;
/// Numbers of the x32 interface have this bit.
const X32: u32 = 0x4000_0000;

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;

/// The low half of an argument: all that `int` and flags have.
const fn low_half(argument: u32) -> u32 {
    16 + 8 * argument
}

fn op(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

fn branch(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

fn fail(errno: i32) -> sock_filter {
    op(RETURN, libc::SECCOMP_RET_ERRNO | errno as u32)
}

fn assemble(rules: &[Rule]) -> Vec<sock_filter> {
    let number_64 = |name: &str| name.parse::<x86_64::Sysno>().ok().map(|call| call.id() as u32);
    let number_32 = |name: &str| name.parse::<x86::Sysno>().ok().map(|call| call.id() as u32);
    let mut wide = vec![op(LOAD, NUMBER), branch(ANY_BIT, X32, 0, 1), fail(ENOSYS)];
    wide.extend(section(rules, number_64));
    let mut filter = vec![
        op(LOAD, ARCH),
        branch(EQUAL, ARCH_X86_64, 0, 1),
        op(JUMP, 3),
        branch(EQUAL, ARCH_I386, 0, 1),
        op(JUMP, wide.len() as u32 + 1),
        op(RETURN, libc::SECCOMP_RET_KILL_PROCESS),
    ];
    filter.extend(wide);
    filter.extend(section(rules, number_32));
    filter
}

/// The rules for one architecture, ending in permission. Names that it does not have are left out.
fn section(rules: &[Rule], number: impl Fn(&str) -> Option<u32>) -> Vec<sock_filter> {
    let mut code = Vec::new();
    for rule in rules {
        for call in rule.calls.iter().filter_map(|name| number(name)) {
            let body = body(rule);
            code.push(op(LOAD, NUMBER));
            code.push(branch(EQUAL, call, 0, body.len() as u8));
            code.extend(body);
        }
    }
    code.push(op(RETURN, libc::SECCOMP_RET_ALLOW));
    code
}

/// What follows once the call is known to be one of the rule's: falls through where it does not apply.
fn body(rule: &Rule) -> Vec<sock_filter> {
    match &rule.when {
        When::Always => vec![fail(rule.errno)],
        When::Is { argument, mask, value } => {
            vec![op(LOAD, low_half(*argument)), op(AND, *mask), branch(EQUAL, *value, 0, 1), fail(rule.errno)]
        }
        When::HasAny { argument, bits } => {
            vec![op(LOAD, low_half(*argument)), branch(ANY_BIT, *bits, 0, 1), fail(rule.errno)]
        }
        When::IsNone { argument, values } => {
            let mut code = vec![op(LOAD, low_half(*argument))];
            let count = values.len();
            let tests = values.iter().enumerate();
            code.extend(tests.map(|(index, value)| branch(EQUAL, *value, (count - index) as u8, 0)));
            code.push(fail(rule.errno));
            code
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel would do: the errno of a denied call.
    fn judge(filter: &[sock_filter], arch: u32, number: u32, arguments: [u32; 6]) -> Option<i32> {
        let (mut at, mut accumulator) = (0, 0);
        loop {
            let next = filter[at];
            at += 1;
            match next.code {
                LOAD if next.k == NUMBER => accumulator = number,
                LOAD if next.k == ARCH => accumulator = arch,
                LOAD => accumulator = arguments[(next.k as usize - 16) / 8],
                AND => accumulator &= next.k,
                JUMP => at += next.k as usize,
                EQUAL => at += usize::from(if accumulator == next.k { next.jt } else { next.jf }),
                ANY_BIT => at += usize::from(if accumulator & next.k != 0 { next.jt } else { next.jf }),
                _ if next.k == libc::SECCOMP_RET_ALLOW => return None,
                _ => return Some((next.k & 0xFFFF) as i32),
            }
        }
    }

    fn wide(filter: &[sock_filter], call: x86_64::Sysno, arguments: [u32; 6]) -> Option<i32> {
        judge(filter, ARCH_X86_64, call.id() as u32, arguments)
    }

    #[test]
    fn both_architectures_are_judged() {
        let filter = in_namespaces();
        assert_eq!(wide(&filter, x86_64::Sysno::mount, [0; 6]), Some(EPERM));
        assert_eq!(wide(&filter, x86_64::Sysno::read, [0; 6]), None);
        assert_eq!(judge(&filter, ARCH_I386, x86::Sysno::mount.id() as u32, [0; 6]), Some(EPERM));
        assert_eq!(judge(&filter, ARCH_I386, x86::Sysno::read.id() as u32, [0; 6]), None);
        assert_eq!(judge(&filter, ARCH_X86_64, X32 | 1, [0; 6]), Some(ENOSYS));
        assert_eq!(judge(&filter, 0x1234, 1, [0; 6]), Some(0), "killed");
    }

    #[test]
    fn arguments_decide() {
        let filter = in_namespaces();
        let pair =
            |kind: i32| wide(&filter, x86_64::Sysno::socketpair, [libc::AF_UNIX as u32, kind as u32, 0, 0, 0, 0]);
        assert_eq!(pair(libc::SOCK_STREAM | libc::SOCK_CLOEXEC), None);
        assert_eq!(pair(libc::SOCK_DGRAM | libc::SOCK_NONBLOCK), Some(EACCES));
        assert_eq!(wide(&filter, x86_64::Sysno::prlimit64, [1, 0, 0, 0, 0, 0]), Some(EPERM));
        assert_eq!(wide(&filter, x86_64::Sysno::prlimit64, [0; 6]), None);
        let priority = |which: u32| wide(&filter, x86_64::Sysno::setpriority, [which, 0, 5, 0, 0, 0]);
        assert_eq!((priority(libc::PRIO_PROCESS), priority(libc::PRIO_USER)), (None, Some(EPERM)));
        let ipc = judge(&filter, ARCH_I386, x86::Sysno::ipc.id() as u32, [0; 6]);
        assert_eq!(ipc, Some(EPERM));
        let socket = |family: i32| wide(&filter, x86_64::Sysno::socket, [family as u32, 0, 0, 0, 0, 0]);
        assert_eq!(socket(libc::AF_INET), None);
        assert_eq!(socket(libc::AF_UNIX), Some(EACCES));
        assert_eq!(socket(libc::AF_NETLINK), Some(EAFNOSUPPORT));
        assert_eq!(wide(&filter, x86_64::Sysno::clone, [libc::SIGCHLD as u32, 0, 0, 0, 0, 0]), None);
        assert_eq!(wide(&filter, x86_64::Sysno::clone, [libc::CLONE_NEWUSER as u32, 0, 0, 0, 0, 0]), Some(EPERM));
    }

    #[test]
    fn old_landlocks_get_more_rules() {
        let kill = |abi, target| wide(&with_landlock(abi, 77), x86_64::Sysno::kill, [target, 9, 0, 0, 0, 0]);
        assert_eq!((kill(5, 78), kill(5, 77), kill(5, 0)), (Some(EPERM), None, None));
        assert_eq!((kill(5, 77_u32.wrapping_neg()), kill(5, u32::MAX), kill(6, 78)), (None, Some(EPERM), None));
        let open = |abi, flags: i32| wide(&with_landlock(abi, 77), x86_64::Sysno::open, [0, flags as u32, 0, 0, 0, 0]);
        assert_eq!((open(2, libc::O_TRUNC), open(3, libc::O_TRUNC)), (Some(EPERM), None));
        assert_eq!(open(2, libc::O_TRUNC | libc::O_WRONLY), None);
        let request = |number| wide(&with_landlock(6, 77), x86_64::Sysno::ioctl, [0, number, 0, 0, 0, 0]);
        const SET_FLAGS: u32 = 0x4008_6602;
        const TERMINAL_ATTRIBUTES: u32 = 0x5401;
        assert_eq!((request(SET_FLAGS), request(TERMINAL_ATTRIBUTES)), (Some(EPERM), None));
        assert!(with_landlock(1, 77).len() < usize::from(u16::MAX) && with_landlock(1, 77).len() < 4096);
    }
}
