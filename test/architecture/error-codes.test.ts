import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, test } from 'vitest'

import { readManifests, readText, root } from './repository.ts'

const modules = [...readManifests().keys()]
  .flatMap((name) => [
    `packages/${name}/src/errors.ts`,
    `packages/${name}/src/registry/registry-error.ts`,
  ])
  .filter((path) => existsSync(join(root, path)))

async function errorCodesOf(path: string): Promise<readonly string[]> {
  const module = (await import(pathToFileURL(join(root, path)).href)) as {
    errorCodes?: readonly string[]
  }
  return module.errorCodes ?? []
}

test('there are modules of errors', () => {
  expect(modules.length).toBeGreaterThan(0)
})

describe.for(modules)('%s', (path) => {
  test('lists its codes as errorCodes', async () => {
    expect(await errorCodesOf(path)).not.toHaveLength(0)
  })

  test('has every code in docs/errors.md', async () => {
    const documented = readText('docs/errors.md')
    const codes = await errorCodesOf(path)
    expect(codes.filter((code) => !documented.includes(`\`${code}\``))).toEqual([])
  })
})
