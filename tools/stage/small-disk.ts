import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** Leaves no byte free. @returns a function that makes room again. */
  fill(): () => void
  close(): void
}

/** A disk of its own in memory; null if mounting is not allowed. */
export function openSmallDisk(sizeMiB: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  return {
    folder,
    fill() {
      const file = join(folder, 'ballast')
      const fd = openSync(file, 'w')
      for (const bytes of [1024 * 1024, 4096, 1]) fillWith(fd, Buffer.alloc(bytes))
      closeSync(fd)
      return () => rmSync(file)
    },
    close() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

function fillWith(fd: number, chunk: Buffer): void {
  try {
    while (writeSync(fd, chunk) === chunk.length);
  } catch {
    // Full.
  }
}
