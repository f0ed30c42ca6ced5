import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../ui/src/', import.meta.url))
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/u.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

it('the page never takes a text for HTML', () => {
  expect(sources.length).toBeGreaterThan(50)
  const found = sources.filter(({ text }) =>
    /dangerouslySetInnerHTML|innerHTML|outerHTML/u.test(text),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

it('the page imports nothing of the console but its contract', () => {
  const found = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/from '((?:\.\.\/)+src\/[^']+|@elasticjob\/[^']+)'/gu)]
      .map(([, target = '']) => target)
      .filter((target) => !target.includes('/src/contract/'))
      .map((target) => `${path} imports ${target}`),
  )
  expect(found).toEqual([])
})

it('the page asks for the time in one place', () => {
  const found = sources.filter(
    ({ path, text }) => path !== 'time/clock.ts' && /Date\.now|setTimeout|setInterval/u.test(text),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})
