/** What is different for a person in front of a terminal; `script` of util-linux is one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { namespace, withCluster } from '../support/cluster.ts'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const the = withCluster()

/** Runs a command on a terminal, and types something when it has shown something. */
async function onTerminal(
  line: string,
  { when, keys, env = {} }: { when?: RegExp; keys?: string; env?: Record<string, string> } = {},
): Promise<{ code: number | null; shown: string }> {
  const command = `${process.execPath} ${program} ${line}`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      TERM: 'xterm',
      ELASTICJOB_SERVERS: the.cluster.server.connectString,
      ELASTICJOB_NAMESPACE: namespace,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  let shown = ''
  let hasTyped = false
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    if (hasTyped || when?.test(shown) !== true) return
    hasTyped = true
    child.stdin.write(keys ?? '')
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, shown }
}

describe.skipIf(!existsSync('/usr/bin/script'))('on a terminal', () => {
  test('there are colours', async () => {
    const { code, shown } = await onTerminal('jobs')
    expect(code).toBe(0)
    expect(shown).toContain('\u001B[32mok\u001B[39m')
  })

  test('unless NO_COLOR is set', async () => {
    const { shown } = await onTerminal('jobs', { env: { NO_COLOR: '1' } })
    expect(shown).toContain('greet')
    expect(shown).not.toContain('\u001B')
  })

  test('harm is asked about: no', async () => {
    const { code, shown } = await onTerminal('remove greet', { when: /\[y\/N\]/, keys: 'n\r' })
    expect(code).toBe(5)
    expect(shown).toContain('Nothing was changed.')
  })

  test('harm is asked about: yes', async () => {
    const { code, shown } = await onTerminal('remove broken', { when: /\[y\/N\]/, keys: 'yes\r' })
    expect(code).toBe(0)
    expect(shown).toMatch(/done.*broken/)
  })

  test('top stays in its place until q, and gives the screen back', async () => {
    const { code, shown } = await onTerminal('top -i 0.1', { when: /Press q to quit/, keys: 'q' })
    expect(code).toBe(0)
    expect(shown.startsWith('\u001B[?1049h\u001B[?25l')).toBe(true)
    expect(shown).toContain('greet')
    expect(shown).toContain('\u001B[?25h\u001B[?1049l')
  })

  test('and until Ctrl-C', async () => {
    const { code } = await onTerminal('top -i 0.1', { when: /Press q to quit/, keys: '\u0003' })
    expect(code).toBe(0)
  })
})
