//! The configuration of the network libraries.

/// The flags of `curl-sys` without TLS and HTTP/2.
pub const CURL_FLAGS: &[&str] = &[
    "-Icurl/lib",
    "-Icurl/include",
    "-I@vendor/libz-sys-1.1.31/src/zlib",
    "-DBUILDING_LIBCURL",
    "-DCURL_DISABLE_DICT",
    "-DCURL_DISABLE_FTP",
    "-DCURL_DISABLE_GOPHER",
    "-DCURL_DISABLE_IMAP",
    "-DCURL_DISABLE_LDAP",
    "-DCURL_DISABLE_LDAPS",
    "-DCURL_DISABLE_NTLM",
    "-DCURL_DISABLE_POP3",
    "-DCURL_DISABLE_RTSP",
    "-DCURL_DISABLE_SMB",
    "-DCURL_DISABLE_SMTP",
    "-DCURL_DISABLE_TELNET",
    "-DCURL_DISABLE_TFTP",
    "-DCURL_STATICLIB",
    "-DCURL_OS=\"unknown\"",
    "-DENABLE_IPV6",
    "-DHAVE_SOCKADDR_IN6_SIN6_SCOPE_ID",
    "-DHAVE_ASSERT_H",
    "-DHAVE_ZLIB_H",
    "-DHAVE_LONGLONG",
    "-DHAVE_LIBZ",
    "-DHAVE_BOOL_T",
    "-DHAVE_STDBOOL_H",
    "-DHAVE_STDINT_H",
    "-DHAVE_GETADDRINFO",
    "-DHAVE_GETPEERNAME",
    "-DHAVE_GETSOCKNAME",
    "-DHAVE_PTHREAD_H",
    "-DHAVE_ARPA_INET_H",
    "-DHAVE_ERRNO_H",
    "-DHAVE_FCNTL_H",
    "-DHAVE_NETDB_H",
    "-DHAVE_NETINET_IN_H",
    "-DHAVE_NETINET_TCP_H",
    "-DHAVE_POLL_H",
    "-DHAVE_FCNTL_O_NONBLOCK",
    "-DHAVE_SYS_SELECT_H",
    "-DHAVE_SYS_STAT_H",
    "-DHAVE_SYS_TIME_H",
    "-DHAVE_SYS_UN_H",
    "-DHAVE_UNISTD_H",
    "-DHAVE_RECV",
    "-DHAVE_SELECT",
    "-DHAVE_SEND",
    "-DHAVE_SOCKET",
    "-DHAVE_SOCKETPAIR",
    "-DHAVE_STRUCT_TIMEVAL",
    "-DHAVE_THREADS_POSIX",
    "-DHAVE_CLOCK_GETTIME_MONOTONIC",
    "-DHAVE_GETTIMEOFDAY",
    "-DHAVE_POLL_FINE",
    "-DUSE_RESOLV_THREADED",
    "-DUSE_UNIX_SOCKETS",
    "-DRECV_TYPE_ARG1=int",
    "-DRECV_TYPE_ARG2=void*",
    "-DRECV_TYPE_ARG3=size_t",
    "-DRECV_TYPE_ARG4=int",
    "-DRECV_TYPE_RETV=ssize_t",
    "-DSEND_QUAL_ARG2=const",
    "-DSEND_TYPE_ARG1=int",
    "-DSEND_TYPE_ARG2=void*",
    "-DSEND_TYPE_ARG3=size_t",
    "-DSEND_TYPE_ARG4=int",
    "-DSEND_TYPE_RETV=ssize_t",
    "-DSIZEOF_CURL_OFF_T=8",
    "-DSIZEOF_INT=4",
    "-DSIZEOF_SHORT=2",
    "-DSIZEOF_LONG=8",
    "-DSIZEOF_OFF_T=8",
    "-DSIZEOF_SIZE_T=8",
    "-DSIZEOF_TIME_T=8",
];

/// The types of the public header.
pub const ARES_BUILD: &str = "\
#define CARES_TYPEOF_ARES_SOCKLEN_T socklen_t
#define CARES_TYPEOF_ARES_SSIZE_T ssize_t
#define CARES_HAVE_SYS_TYPES_H
#define CARES_HAVE_SYS_SOCKET_H
#define CARES_HAVE_SYS_SELECT_H
#define CARES_HAVE_ARPA_NAMESER_H
#define CARES_HAVE_ARPA_NAMESER_COMPAT_H
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/select.h>
";

/// What CMake finds out about Linux with glibc.
pub const ARES_CONFIG: &str = "\
#define HAVE_AF_INET6 1
#define HAVE_ARPA_INET_H 1
#define HAVE_ARPA_NAMESER_COMPAT_H 1
#define HAVE_ARPA_NAMESER_H 1
#define HAVE_ASSERT_H 1
#define HAVE_CLOCK_GETTIME_MONOTONIC 1
#define HAVE_CONNECT 1
#define HAVE_DLFCN_H 1
#define HAVE_ERRNO_H 1
#define HAVE_POLL_H 1
#define HAVE_MEMMEM 1
#define HAVE_POLL 1
#define HAVE_PIPE 1
#define HAVE_PIPE2 1
#define HAVE_EPOLL 1
#define HAVE_FCNTL 1
#define HAVE_FCNTL_H 1
#define HAVE_FCNTL_O_NONBLOCK 1
#define HAVE_FREEADDRINFO 1
#define HAVE_GETADDRINFO 1
#define HAVE_GETENV 1
#define HAVE_GETHOSTNAME 1
#define HAVE_GETNAMEINFO 1
#define HAVE_GETRANDOM 1
#define HAVE_GETSERVBYPORT_R 1
#define HAVE_GETSERVBYNAME_R 1
#define HAVE_GETTIMEOFDAY 1
#define HAVE_IF_INDEXTONAME 1
#define HAVE_IF_NAMETOINDEX 1
#define HAVE_INET_NTOP 1
#define HAVE_INET_PTON 1
#define HAVE_INTTYPES_H 1
#define HAVE_IOCTL 1
#define HAVE_IOCTL_FIONBIO 1
#define HAVE_IOCTL_SIOCGIFADDR 1
#define HAVE_LIMITS_H 1
#define HAVE_LONGLONG 1
#define HAVE_MALLOC_H 1
#define HAVE_MEMORY_H 1
#define HAVE_MSG_NOSIGNAL 1
#define HAVE_NETDB_H 1
#define HAVE_NETINET_IN_H 1
#define HAVE_NETINET_TCP_H 1
#define HAVE_NET_IF_H 1
#define HAVE_PF_INET6 1
#define HAVE_RECV 1
#define HAVE_RECVFROM 1
#define HAVE_SEND 1
#define HAVE_SENDTO 1
#define HAVE_SETSOCKOPT 1
#define HAVE_SIGNAL_H 1
#define HAVE_STRNLEN 1
#define HAVE_STRUCT_SOCKADDR_IN6_SIN6_SCOPE_ID 1
#define HAVE_SOCKET 1
#define HAVE_STDBOOL_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRCASECMP 1
#define HAVE_STRDUP 1
#define HAVE_STRINGS_H 1
#define HAVE_STRING_H 1
#define HAVE_STRNCASECMP 1
#define HAVE_STRUCT_ADDRINFO 1
#define HAVE_STRUCT_IN6_ADDR 1
#define HAVE_STRUCT_SOCKADDR_IN6 1
#define HAVE_STRUCT_SOCKADDR_STORAGE 1
#define HAVE_STRUCT_TIMEVAL 1
#define HAVE_SYS_IOCTL_H 1
#define HAVE_SYS_PARAM_H 1
#define HAVE_SYS_RANDOM_H 1
#define HAVE_SYS_EPOLL_H 1
#define HAVE_SYS_SELECT_H 1
#define HAVE_SYS_SOCKET_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_UIO_H 1
#define HAVE_TIME_H 1
#define HAVE_IFADDRS_H 1
#define HAVE_UNISTD_H 1
#define HAVE_WRITEV 1
#define HAVE_GETIFADDRS 1
#define HAVE_STAT 1
#define HAVE_PTHREAD_H 1
#define CARES_RANDOM_FILE \"/dev/urandom\"
#define CARES_THREADS 1
#define GETHOSTNAME_TYPE_ARG2 size_t
#define GETNAMEINFO_QUAL_ARG1 const
#define GETNAMEINFO_TYPE_ARG1 struct sockaddr *
#define GETNAMEINFO_TYPE_ARG2 socklen_t
#define GETNAMEINFO_TYPE_ARG46 socklen_t
#define GETNAMEINFO_TYPE_ARG7 int
#define GETSERVBYNAME_R_ARGS 6
#define GETSERVBYPORT_R_ARGS 6
#define RECVFROM_QUAL_ARG5
#define RECVFROM_TYPE_ARG1 int
#define RECVFROM_TYPE_ARG2 void *
#define RECVFROM_TYPE_ARG3 size_t
#define RECVFROM_TYPE_ARG4 int
#define RECVFROM_TYPE_ARG5 struct sockaddr *
#define RECVFROM_TYPE_RETV ssize_t
#define RECV_TYPE_ARG1 int
#define RECV_TYPE_ARG2 void *
#define RECV_TYPE_ARG3 size_t
#define RECV_TYPE_ARG4 int
#define RECV_TYPE_RETV ssize_t
#define SEND_TYPE_ARG1 int
#define SEND_TYPE_ARG2 const void *
#define SEND_TYPE_ARG3 size_t
#define SEND_TYPE_ARG4 int
#define SEND_TYPE_RETV ssize_t
";

/// What CMake finds out without the optional libraries.
pub const RDKAFKA_CONFIG: &str = "\
#define WITHOUT_OPTIMIZATION 0
#define ENABLE_DEVEL 0
#define ENABLE_REFCNT_DEBUG 0
#define HAVE_ATOMICS_32 1
#define HAVE_ATOMICS_32_SYNC 0
#define ATOMIC_OP32(OP1,OP2,PTR,VAL) __atomic_ ## OP1 ## _ ## OP2(PTR, VAL, __ATOMIC_SEQ_CST)
#define HAVE_ATOMICS_64 1
#define HAVE_ATOMICS_64_SYNC 0
#define ATOMIC_OP64(OP1,OP2,PTR,VAL) __atomic_ ## OP1 ## _ ## OP2(PTR, VAL, __ATOMIC_SEQ_CST)
#define WITH_HDRHISTOGRAM 1
#define WITH_ZLIB 1
#define WITH_LIBDL 1
#define WITH_PLUGINS 1
#define WITH_SNAPPY 1
#define WITH_SOCKEM 1
#define WITH_SASL_SCRAM 0
#define HAVE_REGEX 1
#define HAVE_STRNDUP 1
#define HAVE_RAND_R 1
#define HAVE_PTHREAD_SETNAME_GNU 1
#define WITH_C11THREADS 1
#define WITH_CRC32C_HW 1
#define SOLIB_EXT \".so\"
#define BUILT_WITH \"\"
";
