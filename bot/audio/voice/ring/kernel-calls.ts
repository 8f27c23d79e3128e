import type * as Koffi from 'koffi'

/** The same numbers on all 64-bit systems. */
const IO_URING_SETUP = 425
const IO_URING_ENTER = 426
const EINTR = 4
const READ_WRITE = 3
const SHARED_POPULATED = 0x8001
/** IPv4. */
const AF_INET = 2
/** Datagrams; closed in child processes, and never waiting. */
const SOCK_DGRAM = 0x80802

/** Memory that is shared with the kernel. */
export interface Mapping {
  readonly words: Uint32Array
  unmap(): void
}

/** What Node has no call for. */
export interface KernelCalls {
  /** @param params `io_uring_params`, which the kernel fills in. @returns a file descriptor. @throws {Error} if it is refused. */
  setup(entries: number, params: Buffer): number
  /** @returns how many entries the kernel took; 0 when a signal came first. @throws {Error} if it takes none. */
  enter(fd: number, entries: number): number
  /** @throws {Error} if there is no memory. */
  map(fd: number, bytes: number, offset: number): Mapping
  /** A new UDP socket's file descriptor; null if there is none to be had. */
  openSocket(): number | null
  close(fd: number): void
  /** Stays the same for as long as `memory` is referred to. */
  addressOf(memory: Uint8Array): bigint
}

/** @throws {Error} where there is no io_uring, or the package that calls C functions is left out. */
export async function loadKernelCalls(): Promise<KernelCalls> {
  const { platform, arch } = process
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64'))
    throw new Error(`there is none on ${platform}-${arch}`)
  const koffi = await import('koffi')
  const libc = koffi.load(null)
  const syscall = libc.func(
    'syscall',
    'long',
    Array.from({ length: 7 }, () => 'long'),
  )
  const setup = libc.func('syscall', 'long', ['long', 'uint32_t', 'void *'])
  const mmap = libc.func('mmap', 'intptr_t', ['void *', 'size_t', 'int', 'int', 'int', 'long'])
  const munmap = libc.func('munmap', 'int', ['intptr_t', 'size_t'])
  const socket = libc.func('socket', 'int', ['int', 'int', 'int'])
  const close = libc.func('close', 'int', ['int'])
  const failed = (call: string) => new Error(`${call} failed with ${nameOf(koffi, koffi.errno())}`)
  return {
    setup(entries, params) {
      const fd = Number(setup(IO_URING_SETUP, entries, params))
      if (fd < 0) throw failed('io_uring_setup')
      return fd
    },
    enter(fd, entries) {
      const taken = Number(syscall(IO_URING_ENTER, fd, entries, 0, 0, 0, 0))
      if (taken > 0) return taken
      if (taken < 0 && koffi.errno() === EINTR) return 0
      throw failed('io_uring_enter')
    },
    map(fd, bytes, offset) {
      const at: unknown = mmap(null, bytes, READ_WRITE, SHARED_POPULATED, fd, offset)
      if (Number(at) === -1) throw failed('mmap')
      return { words: new Uint32Array(koffi.view(at, bytes)), unmap: () => void munmap(at, bytes) }
    },
    openSocket() {
      const fd = Number(socket(AF_INET, SOCK_DGRAM, 0))
      return fd < 0 ? null : fd
    },
    close: (fd) => void close(fd),
    addressOf: (memory) => koffi.address(memory),
  }
}

function nameOf({ os }: typeof Koffi, errno: number): string {
  return Object.keys(os.errno).find((name) => os.errno[name] === errno) ?? `error ${errno}`
}
