import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { elasticjob } from '../support/command-line.ts'
import { namespace, withCluster } from '../support/cluster.ts'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const the = withCluster()

describe.skipIf(!existsSync('/bin/bash'))('bash', () => {
  let directory: string
  let script: string

  beforeAll(async () => {
    script = (await elasticjob(['completion', 'bash'])).stdout
    // The script asks the program by the name that was typed.
    directory = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
    const path = join(directory, 'elasticjob')
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
    chmodSync(path, 0o755)
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  /** What would be offered for the last word. */
  async function offered(...words: string[]): Promise<string[]> {
    const typed = ['elasticjob', ...words].map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _elasticjob; echo "\${COMPREPLY[@]}"`
    const env = {
      PATH: `${directory}:${process.env['PATH']}`,
      ELASTICJOB_SERVERS: the.cluster.server.connectString,
      ELASTICJOB_NAMESPACE: namespace,
    }
    const bash = ['--norc', '-c', `${script}\n${ask}`]
    const { stdout } = await promisify(execFile)('/bin/bash', bash, { env })
    return stdout.trim().split(' ')
  }

  test.for<[words: string[], expected: string[]]>([
    [['jo'], ['jobs', 'job']],
    [
      ['config', ''],
      ['get', 'set', 'edit'],
    ],
    [['trigger', '--fa'], ['--failed']],
    [['config', 'set', '--uns'], ['--unset']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ])('%j', async ([words, expected]) => {
    expect(await offered(...words)).toEqual(expected)
  })

  test('names of jobs', async () => {
    expect(await offered('job', '')).toEqual(['broken', 'endless', 'greet'])
    expect(await offered('config', 'get', 'g')).toEqual(['greet'])
  })
})

test.for([
  ['zsh', /^#compdef elasticjob/],
  ['fish', /^complete -c elasticjob .* -a 'trigger' -d 'run all sha/m],
] as const)('%s knows every command and its options', async ([shell, begin]) => {
  const { code, stdout } = await elasticjob(['completion', shell])
  expect(code).toBe(0)
  expect(stdout).toMatch(begin)
  for (const word of ['jobs', 'config', 'edit', 'completion', 'failed', 'unset']) {
    expect(stdout).toContain(word)
  }
})
