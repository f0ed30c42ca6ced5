import { expect, test } from 'vitest'

import { anchorsOf, readFeatureTable } from './feature-table.ts'

test('a row has an id, a page and tests, of any table', () => {
  const table = `
| feature | what it is         | in   | here    | shown by                                        |
| ------- | ------------------ | ---- | ------- | ----------------------------------------------- |
| \`one\`   | [A door](a.md#b-c) | 1, 3 | \`door\`  | [it › opens a\\|b\\_c](../x.test.ts)<br>[it](y.ts) |

| \`two\` | A wall | 2 | Instead, a fence. | |
`
  expect(readFeatureTable(table)).toEqual([
    {
      id: 'one',
      page: 'a.md#b-c',
      versions: '1, 3',
      here: '`door`',
      tests: [
        { name: 'it › opens a|b_c', path: '../x.test.ts' },
        { name: 'it', path: 'y.ts' },
      ],
    },
    { id: 'two', page: undefined, versions: '2', here: 'Instead, a fence.', tests: [] },
  ])
})

test('anchors are made of headings, without marks', () => {
  const page = "# Title\n\n## A type of one's own\n\ntext\n\n### `EMAIL`\n\n## 5. Run it now\n"
  expect([...anchorsOf(page)]).toEqual(['title', 'a-type-of-ones-own', 'email', '5-run-it-now'])
})
