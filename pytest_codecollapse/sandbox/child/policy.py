"""Which system calls a program may not make, and why.

Theory of operation
-------------------
There are two sets of rules. A problem server is put under ``SERVER`` once, before it runs an
``input_gen``, which is as little to be trusted as the candidates; every child inherits that. A
child is put under ``PROGRAM`` as well, which takes what a server needs: to fork, and to signal its
children. The kernel asks both filters, and the stricter answer holds.

Both list what is refused. That is safe against what is to come, because a number that is newer
than the list is answered like on a kernel that does not have it. Refused is EPERM, which Python
raises as PermissionError; ENOSYS where the C library then takes another way.

A filter sees numbers, not what a pointer leads to. So a call that takes a path or a record is
allowed or refused as a whole.
"""

import errno
from typing import Dict, NamedTuple, Tuple

OWN_PID = 0x7FFFFFFF  # stands for the pid of the process under the filter; no process has this one
FIRST_UNKNOWN = 470  # all that Linux 6.18 has is below, on both architectures

_WORD = 0xFFFFFFFF


class Condition(NamedTuple):
    """Of one argument: its low 32 bits, or the high ones, after a mask.

    ``values`` are those that it is to be one of; or, where they are not ``allowed``, none of.
    """

    argument: int
    values: Tuple[int, ...]
    allowed: bool = True
    mask: int = _WORD
    high: bool = False


class Rule(NamedTuple):
    """The call fails with ``error``, unless there are conditions and all of them hold."""

    unless: Tuple[Condition, ...] = ()
    error: int = errno.EPERM


_REFUSED = Rule()
_UNKNOWN = Rule(error=errno.ENOSYS)


def _each(names: str, rule: Rule) -> Dict[str, Rule]:
    return dict.fromkeys(names.split(), rule)


# clone(2), prctl(2), fcntl(2), ioctl(2), open(2): the numbers are the same on both architectures
_CLONE_THREAD = 0x00010000
_CLONE_NEW_NAMESPACES = 0x7E020000  # mount, cgroup, UTS, IPC, user, pid, network
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_MM = 1, 4, 22, 35
_PR_SET_CHILD_SUBREAPER, _PR_SCHED_CORE = 36, 62
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE, _F_NOTIFY = 8, 10, 15, 1024, 1026
_TCGETS, _TCGETS2, _TIOCGPGRP, _TIOCGWINSZ = 0x5401, 0x802C542A, 0x540F, 0x5413
_FIONREAD, _FIONBIO, _FIONCLEX, _FIOCLEX, _FICLONE = 0x541B, 0x5421, 0x5450, 0x5451, 0x40049409
_O_ACCMODE, _O_TRUNC = 0o3, 0o1000
_AF_UNIX = 1
_IOPRIO_WHO_PROCESS = 1
_OWNER = 0o700

_ZERO = Condition(0, (0,))
_NO_PRCTL = (_PR_SET_DUMPABLE, _PR_SET_MM, _PR_SET_CHILD_SUBREAPER, _PR_SCHED_CORE)

#: For whoever runs code that is not to be trusted but has children of its own.
SERVER: Dict[str, Rule] = {
    # Another program would be one whose system calls nobody has thought about.
    **_each("execve execveat vfork", _REFUSED),
    # Its flags are in memory, out of the filter's sight; the C library then uses clone.
    **_each("clone3", _UNKNOWN),
    # Other processes: their memory, their descriptors, handles on them.
    **_each("ptrace process_vm_readv process_vm_writev process_madvise process_mrelease", _REFUSED),
    **_each("pidfd_open pidfd_getfd pidfd_send_signal kcmp get_robust_list", _REFUSED),
    **_each("migrate_pages move_pages", _REFUSED),
    # Limits and priorities of others, or of whole groups and users: a process may change its own,
    # by the number zero. Its pid would be refused to the children that inherit the filter.
    **_each("prlimit64 sched_setaffinity sched_setscheduler", Rule((_ZERO,))),
    **_each("sched_setparam sched_setattr", Rule((_ZERO,))),
    "setpriority": Rule((_ZERO, Condition(1, (0,)))),
    "ioprio_set": Rule((Condition(0, (_IOPRIO_WHO_PROCESS,)), Condition(1, (0,)))),
    "setpgid": _REFUSED,
    # The network, and every local service that has a socket. asyncio needs socketpair, but a pair
    # of datagram sockets can also send to an address: no address, by whichever call.
    **_each("socket connect bind listen accept accept4 sendmsg sendmmsg", _REFUSED),
    "socketpair": Rule((Condition(0, (_AF_UNIX,)),)),
    "sendto": Rule((Condition(4, (0,)), Condition(4, (0,), high=True))),
    # Queues of requests that the kernel carries out without asking a filter.
    **_each("io_uring_setup io_uring_enter io_uring_register io_setup", _REFUSED),
    # Ways around Landlock: another view of the file system, files without a path, namespaces.
    **_each("mount umount2 pivot_root chroot move_mount open_tree open_tree_attr", _REFUSED),
    **_each("fsopen fsconfig fsmount fspick mount_setattr statmount listmount", _REFUSED),
    **_each("name_to_handle_at open_by_handle_at unshare setns lsm_set_self_attr", _REFUSED),
    # What Landlock does not cover: mode, owner, times and attributes of every file that belongs to
    # the same user, the standard library and the user's home among them, ...
    **_each("chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat", _REFUSED),
    **_each("utime utimes futimesat utimensat file_setattr", _REFUSED),
    **_each("setxattr lsetxattr fsetxattr setxattrat", _REFUSED),
    **_each("removexattr lremovexattr fremovexattr removexattrat", _REFUSED),
    # ... truncating what may only be read, before its ABI 3 (openat2 has its flags in memory), ...
    **_each("truncate", _REFUSED),
    **_each("openat2", _UNKNOWN),
    "open": Rule((Condition(1, (_O_TRUNC, _O_TRUNC | 3), False, _O_TRUNC | _O_ACCMODE),)),
    "openat": Rule((Condition(2, (_O_TRUNC, _O_TRUNC | 3), False, _O_TRUNC | _O_ACCMODE),)),
    # ... and looking on while others use files.
    **_each("inotify_init inotify_init1 fanotify_init fanotify_mark", _REFUSED),
    # A folder that its owner cannot list could not be cleared away by a server that is not root.
    "mkdir": Rule((Condition(1, (_OWNER,), mask=_OWNER),)),
    "mkdirat": Rule((Condition(2, (_OWNER,), mask=_OWNER),)),
    "umask": Rule((Condition(0, (0,), mask=_OWNER),)),
    # Memory that RLIMIT_AS does not count: written without being mapped, or held by a pipe.
    **_each("memfd_create memfd_secret vmsplice", _REFUSED),
    # What outlives the process, or belongs to others.
    **_each("shmget shmat shmctl semget semop semtimedop semctl", _REFUSED),
    **_each("msgget msgsnd msgrcv msgctl mq_open mq_unlink", _REFUSED),
    **_each("add_key request_key keyctl", _REFUSED),
    # The machine. Most of it needs privileges, which root has; the rest is a large attack surface
    # in the kernel. sync waits for the writes of everybody.
    **_each("bpf perf_event_open userfaultfd lookup_dcookie", _REFUSED),
    **_each("init_module finit_module delete_module kexec_load kexec_file_load reboot", _REFUSED),
    **_each("swapon swapoff acct quotactl quotactl_fd syslog vhangup sync syncfs", _REFUSED),
    **_each("settimeofday clock_settime clock_adjtime adjtimex", _REFUSED),
    **_each("sethostname setdomainname iopl ioperm modify_ldt uselib sysfs ustat", _REFUSED),
    "personality": Rule((Condition(0, (_WORD,)),)),  # which only asks
    # A process that hides from its server, adopts others or shares a core with them.
    "prctl": Rule((Condition(0, _NO_PRCTL, False),)),
    # Signals by another way: "tell that process when there is something to read". A lease makes
    # whoever opens the file for writing wait.
    "fcntl": Rule(
        (Condition(1, (_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE, _F_NOTIFY), False),)
    ),
    # Of devices there is /dev/null; ENOTTY is what it, files and pipes answer. So no TIOCSTI.
    "ioctl": Rule(
        (
            Condition(
                1,
                (
                    *(_TCGETS, _TCGETS2, _TIOCGPGRP, _TIOCGWINSZ),
                    *(_FIONREAD, _FIONBIO, _FIONCLEX, _FIOCLEX, _FICLONE),
                ),
            ),
        ),
        errno.ENOTTY,
    ),
}

#: For a program, which has no business with any process but its own.
PROGRAM: Dict[str, Rule] = {
    # With no way to start a process, SIGKILL to one pid ends a program whole.
    "fork": _REFUSED,
    "clone": Rule((Condition(0, (_CLONE_THREAD,), mask=_CLONE_THREAD | _CLONE_NEW_NAMESPACES),)),
    # Signals to itself. Zero and negative numbers are groups. A thread's number is no pid, but
    # that of the main thread is, and musl's raise and abort use tkill.
    **_each(
        "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo", Rule((Condition(0, (OWN_PID,)),))
    ),
    # Its session is how its server finds what belongs to it.
    "setsid": _REFUSED,
    # It must end with its server. It needs no filters of its own, which the kernel would compile.
    "prctl": Rule((Condition(0, (*_NO_PRCTL, _PR_SET_PDEATHSIG, _PR_SET_SECCOMP), False),)),
    "seccomp": _REFUSED,
}
