import { expect, test } from 'vitest'

import { readText } from './repository.ts'

const path = 'packages/core/src/events.ts'
/** A key of the catalogue: `'run:started': [`. */
const eventName = /^ {2}'([a-z-]+:[a-z-]+)': \[/gm

test(`docs/events.md has every event of ${path}, and no other`, () => {
  const declared = [...readText(path).matchAll(eventName)].map(([, name]) => name)
  const documented = [...readText('docs/events.md').matchAll(/^\| `([a-z-]+:[a-z-]+)`/gm)].map(
    ([, name]) => name,
  )
  expect(declared.length).toBeGreaterThan(0)
  expect(new Set(documented)).toEqual(new Set(declared))
})
