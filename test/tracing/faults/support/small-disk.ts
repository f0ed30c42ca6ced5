/** A disk of its own that is soon full. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class SmallDisk {
  readonly directory: string

  private constructor(directory: string) {
    this.directory = directory
  }

  /** A disk of so many megabytes; undefined where nobody may make one. */
  static mount(megabytes: number): SmallDisk | undefined {
    const directory = mkdtempSync(join(tmpdir(), 'elasticjob-disk-'))
    const options = `size=${megabytes}m`
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'pipe' })
    } catch {
      rmdirSync(directory)
      return undefined
    }
    return new SmallDisk(directory)
  }

  /** Takes all the room there is, to the last block. */
  fill(): void {
    for (const size of [1_048_576, 65_536, 4096]) {
      const block = Buffer.alloc(size)
      try {
        for (;;) writeFileSync(this.#filler, block, { flag: 'a' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  }

  /** Gives back what was taken. */
  free(): void {
    rmSync(this.#filler)
  }

  /** Whoever has files there has to be gone. */
  unmount(): void {
    execFileSync('umount', [this.directory])
    rmdirSync(this.directory)
  }

  get #filler(): string {
    return join(this.directory, 'filler')
  }
}
