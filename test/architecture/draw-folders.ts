import { directImports, type FolderGraph, linesOf } from './folder-graph.ts'

const boxWidth = 132
const boxHeight = 34
const gap = 16
const lineGap = 46
const margin = 20

/** The folders as boxes, line by line, with what each imports. Readable on light ground and on dark. */
export function drawFolders(graph: FolderGraph, title: string): string {
  const lines = linesOf(graph)
  const widest = Math.max(...lines.map((line) => line.length))
  const width = 2 * margin + widest * boxWidth + (widest - 1) * gap
  const height = 60 + lines.length * (boxHeight + lineGap)
  const places = new Map<string, { readonly x: number; readonly y: number }>()
  for (const [row, line] of lines.entries()) {
    const free = width - 2 * margin - line.length * boxWidth - (line.length - 1) * gap
    for (const [column, name] of line.entries()) {
      const x = margin + free / 2 + column * (boxWidth + gap)
      places.set(name, { x, y: 52 + row * (boxHeight + lineGap) })
    }
  }
  const edges = directImports(graph).flatMap(([from, to]) => {
    const start = places.get(from)
    const end = places.get(to)
    if (start === undefined || end === undefined) return []
    const [x1, y1] = [start.x + boxWidth / 2, start.y + boxHeight]
    const [x2, y2] = [end.x + boxWidth / 2, end.y]
    const bend = Math.max(20, (y2 - y1) / 2)
    return [
      `<path class="edge" d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}"/>`,
    ]
  })
  const boxes = [...graph.folders.keys()].flatMap((name) => {
    const { x, y } = places.get(name) ?? { x: 0, y: 0 }
    const middle = x + boxWidth / 2
    return [
      `<rect class="box" x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="5"/>`,
      `<text class="name" x="${middle}" y="${y + 22}">${name === '.' ? 'errors, clock, …' : name}</text>`,
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    styles,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="title" x="${margin}" y="28">${title}</text>`,
    ...edges,
    ...boxes,
    '</svg>',
    '',
  ].join('\n')
}

const styles = `<style>
.ground{fill:#fff}.box{fill:#f4f6fa;stroke:#5b6b86}.edge{fill:none;stroke:#8896ad;stroke-opacity:.55}
text{font:13px system-ui,sans-serif;fill:#1c2430}.title{font-size:15px;font-weight:600}.name{text-anchor:middle;font-weight:600}
@media(prefers-color-scheme:dark){.ground{fill:#12161d}.box{fill:#1d2430;stroke:#8596b3}text{fill:#e7ecf5}}
</style>`
