import { expect, test } from 'vitest'

import { readText } from './repository.ts'

/** What the packages about jobs tell; those of ZooKeeper have pages of their own. */
const catalogues = ['packages/core/src/events.ts', 'packages/tracing/src/events.ts']
/** A key of the catalogue: `'run:started': [`. */
const eventName = /^ {2}'([a-z-]+:[a-z-]+)': \[/gm

test('docs/events.md has every event of the packages about jobs, and no other', () => {
  const declared = catalogues.flatMap((path) =>
    [...readText(path).matchAll(eventName)].map(([, name]) => name),
  )
  const documented = [...readText('docs/events.md').matchAll(/^\| `([a-z-]+:[a-z-]+)`/gm)].map(
    ([, name]) => name,
  )
  expect(declared.length).toBeGreaterThan(0)
  expect(new Set(documented)).toEqual(new Set(declared))
})
