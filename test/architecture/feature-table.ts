/** One row of docs/features.md. */
export interface FeatureRow {
  readonly id: string
  /** The page that tells more, from `docs/`: `job-types.md#simple`. */
  readonly page: string | undefined
  /** The versions of Elastic-Job that have the feature. */
  readonly versions: string
  /** How it is called here, or what takes its place. */
  readonly here: string
  readonly tests: readonly LinkedTest[]
}

export interface LinkedTest {
  /** The whole name of the test, as `testNamesOf` gives it. */
  readonly name: string
  /** From `docs/`. */
  readonly path: string
}

/** A cell ends at a bar that no backslash stands before. */
const bar = /(?<!\\)\|/
const link = /\[(.+?)\]\(([^)\s]+)\)/g

/** The rows of all tables whose first cell is an id: `simple-job`. */
export function readFeatureTable(markdown: string): readonly FeatureRow[] {
  return markdown.split('\n').flatMap((line) => {
    const cells = line.split(bar).map((cell) => cell.trim())
    const [, id = '', what = '', versions = '', here = '', shownBy = ''] = cells
    const name = /^`([a-z0-9-]+)`$/.exec(id)?.[1]
    if (name === undefined) return []
    return [{ id: name, page: linksIn(what)[0]?.target, versions, here, tests: testsIn(shownBy) }]
  })
}

/** One row of the table of promises in docs/guarantees.md. */
export interface PromiseRow {
  /** The words of the promise, as a page says them. */
  readonly promise: string
  readonly tests: readonly LinkedTest[]
}

/** The rows behind the heading of the table, whose first cell is a promise. */
export function readPromiseTable(markdown: string): readonly PromiseRow[] {
  const [, table = ''] = markdown.split(/^\| promise +\| checked by .*$/m)
  return table.split('\n').flatMap((line) => {
    const [, promise = '', checkedBy = ''] = line.split(bar).map((cell) => cell.trim())
    const tests = testsIn(checkedBy)
    return tests.length === 0 ? [] : [{ promise, tests }]
  })
}

function testsIn(cell: string): LinkedTest[] {
  return linksIn(cell).map(({ text, target }) => ({ name: text, path: target }))
}

function linksIn(cell: string): { readonly text: string; readonly target: string }[] {
  return [...cell.matchAll(link)].map(([, text = '', target = '']) => ({
    text: text.replaceAll(/\\([\\`*_{}[\]()<>#+\-.!|])/g, '$1'),
    target,
  }))
}

/** The anchors of a page: what a link may have behind its `#`. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}
