/** The program that simulates seeds, as one file: without loading and compiling each module in each process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { build, type BuildOptions, type Plugin } from 'esbuild'

import type { Bug } from './bugs.ts'

const packages = join(import.meta.dirname, '../../packages')

const settings: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['source'],
  logLevel: 'warning',
  // For packages of the old format.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
}

/** Builds the program, with a bug in it if one is given, and removes it after its use. */
export async function withWorker<T>(
  bug: Bug | undefined,
  use: (program: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'elasticjob-simulation-'))
  try {
    const outfile = join(folder, 'worker.mjs')
    await build({
      ...settings,
      entryPoints: [join(import.meta.dirname, 'worker.ts')],
      outfile,
      sourcemap: true,
      plugins: bug === undefined ? [] : [planted(bug)],
    })
    return await use(outfile)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Puts what `make` makes of a module in the place of that module. */
function planted(bug: Bug): Plugin {
  const parts = [bug, ...(bug.also === undefined ? [] : [bug.also])]
  return {
    name: 'seeded-bug',
    setup(builder) {
      for (const [index, { module }] of parts.entries()) {
        const path = join(packages, module)
        const filter = new RegExp(`${path.replaceAll('.', '\\.')}$`)
        builder.onLoad({ filter }, async ({ path: file, suffix }) => {
          if (suffix === '?original') return undefined
          const names = await exportsOf(file)
          const make = `bugs.find(({ name }) => name === ${JSON.stringify(bug.name)})`
          const part = index === 0 ? make : `${make}.also`
          const contents = [
            `import * as original from ${JSON.stringify(`${file}?original`)}`,
            `import { bugs } from ${JSON.stringify(join(import.meta.dirname, 'bugs.ts'))}`,
            `const made = ${part}.make({ ...original })`,
            ...names.map((name) => `const made_${name} = made.${name}`),
            `export { ${names.map((name) => `made_${name} as ${name}`).join(', ')} }`,
          ].join('\n')
          return { contents, loader: 'ts', resolveDir: join(file, '..') }
        })
      }
    },
  }
}

async function exportsOf(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    ...settings,
    entryPoints: [file],
    outdir: packages,
    write: false,
    metafile: true,
    packages: 'external',
  })
  const [output] = Object.values(metafile.outputs)
  if (output === undefined) throw new Error(`nothing to export in ${relative(packages, file)}`)
  return output.exports
}
