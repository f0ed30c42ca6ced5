/** A copy of the repository to make mistakes in: the working tree is never touched. */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import type { Mutant } from './mutant.ts'

const repository = join(import.meta.dirname, '../..')

/** The files of the repository as they are, committed or not. */
export function filesOf(...folders: readonly string[]): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...folders]
  const listed = execFileSync('git', list, { cwd: repository, maxBuffer: 1 << 26 }).toString()
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(repository, path)))
}

export class Scratch {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'mutants-'))

  constructor() {
    for (const path of filesOf()) {
      const from = join(repository, path)
      mkdirSync(dirname(join(this.folder, path)), { recursive: true })
      copyFileSync(from, join(this.folder, path))
    }
    this.#linkModules('node_modules')
    for (const name of readdirSync(join(repository, 'packages'))) {
      this.#linkModules(join('packages', name, 'node_modules'))
    }
  }

  /** Runs something while the mistake is there. */
  async with<T>({ file, change }: Mutant, act: () => Promise<T>): Promise<T> {
    const path = join(this.folder, 'packages', file)
    const right = readFileSync(path, 'utf8')
    if ('diff' in change) {
      execFileSync('git', ['apply', '--unsafe-paths', `--directory=${this.folder}`, change.diff])
    } else {
      writeFileSync(
        path,
        right.replace(change.before, () => change.after),
      )
    }
    try {
      return await act()
    } finally {
      writeFileSync(path, right)
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** What was installed is shared; the packages of the repository are those of the copy. */
  #linkModules(folder: string): void {
    if (!existsSync(join(repository, folder))) return
    mkdirSync(join(this.folder, folder), { recursive: true })
    for (const name of readdirSync(join(repository, folder))) {
      if (name !== '@elasticjob' && !name.startsWith('.')) {
        symlinkSync(join(repository, folder, name), join(this.folder, folder, name))
      }
    }
    if (folder !== 'node_modules') return
    symlinkSync(join(repository, folder, '.bin'), join(this.folder, folder, '.bin'))
    mkdirSync(join(this.folder, folder, '@elasticjob'))
    for (const name of readdirSync(join(repository, folder, '@elasticjob'))) {
      const target = join(this.folder, 'packages', name)
      symlinkSync(target, join(this.folder, folder, '@elasticjob', name))
    }
  }
}
