/** What may find a mutant: each is a program that fails where it finds one. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Mutant } from './mutant.ts'

export const checkers = ['plans', 'simulation', 'unit'] as const
export type Checker = (typeof checkers)[number]

export interface CheckerSettings {
  readonly folder: string
  readonly states: number
  readonly seeds: number
}

/** A mutant that runs for so long goes manual run in circles: that is found, too. */
const limit = 240_000

/** The checkers for a mutant, the one that takes the least time first. */
export function checkersFor({ kind }: Pick<Mutant, 'kind'>): readonly Checker[] {
  return kind === 'coordination' ? ['plans', 'unit', 'simulation'] : ['unit', 'simulation']
}

/** Whether a mutant, or whatever else is in the folder now, is found. */
export async function finds(
  checker: Checker,
  { file, tests }: Pick<Mutant, 'tests'> & { readonly file?: string },
  { folder, states, seeds }: CheckerSettings,
): Promise<boolean> {
  const program = (path: string, ...args: string[]): Promise<boolean> => {
    return fails(folder, ['--conditions=source', '--import', 'tsx', path, ...args])
  }
  switch (checker) {
    case 'plans':
      return program('test/plans/run.ts', '--states', String(states), '--walks', '150', '--first')
    case 'simulation':
      return program('test/mutants/simulate-seeds.ts', '--seeds', String(seeds))
    case 'unit': {
      const paths = tests.map((path) => (path.startsWith('test/') ? path : `packages/${path}`))
      const own = `packages/${file?.replace('/src/', '/test/').replace(/\.ts$/, '.test.ts')}`
      const isFirst = !paths.includes(own) && existsSync(join(folder, own))
      return (isFirst && (await testsFail(folder, [own]))) || (await testsFail(folder, paths))
    }
  }
}

function testsFail(folder: string, paths: readonly string[]): Promise<boolean> {
  const projects = ['--project', 'unit', '--project', 'embedded']
  const once = ['--bail', '1', '--maxWorkers', '1']
  return fails(folder, ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...once, ...paths])
}

function fails(folder: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: 'ignore',
      timeout: limit,
      killSignal: 'SIGKILL',
      env: { ...process.env, CI: 'true' },
    })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code !== 0))
  })
}
