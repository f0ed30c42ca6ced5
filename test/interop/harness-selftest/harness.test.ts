import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ownedDirectory } from '../../zookeeper/harness/owned-process.ts'
import { setup } from '../global-setup.ts'

const scenarios = new URL('../', import.meta.url)

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** A machine on which there are programs of these names, and no others. */
async function machineWith(...programs: readonly string[]): Promise<void> {
  const directory = join(await ownedDirectory('machine'), 'bin')
  await mkdir(directory)
  for (const program of programs) await symlink(process.execPath, join(directory, program))
  vi.stubEnv('PATH', directory)
}

describe('where scenarios with Java cannot run', () => {
  it('skips them, and says what would change that', async () => {
    await machineWith('java', 'javac')
    vi.stubEnv('CI', '')
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const provide = vi.fn<(key: string, value: unknown) => void>()
    await setup({ provide })
    expect(provide.mock.calls).toEqual([['javaWorker', false]])
    expect(warn.mock.calls.flat().join()).toMatch(/need .*Maven \(`npm run setup:zookeeper`\)/)
  })

  it('fails in CI, where a skipped suite looks like one that passes', async () => {
    await machineWith('java', 'javac')
    vi.stubEnv('CI', 'true')
    await expect(setup({ provide: () => {} })).rejects.toThrow(/need .*Maven/)
  })

  it('fails without a JDK, too', async () => {
    await machineWith('mvn')
    vi.stubEnv('CI', 'true')
    await expect(setup({ provide: () => {} })).rejects.toThrow('a JDK and ZooKeeper')
  })
})

/** What goes wrong around a single fire: too long for the short form, which has departures of every kind. */
const tooLong = 'departures.test.ts'

describe('the short form of the scenarios', () => {
  it('has something of every kind', async () => {
    const all = (await readdir(scenarios)).filter((name) => name.endsWith('.test.ts'))
    const names = all.filter((name) => name !== tooLong)
    const without: string[] = []
    for (const name of names) {
      const text = await readFile(new URL(name, scenarios), 'utf8')
      if (!text.includes("'short'")) without.push(name)
    }
    expect(names.length).toBeGreaterThan(8)
    expect(without).toEqual([])
  })
})
