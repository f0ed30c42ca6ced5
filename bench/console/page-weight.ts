/** What a browser has to fetch for the first picture: the document, what it names, and the reader's words. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('../../', import.meta.url))
const built = join(root, 'packages/console/dist/ui')

export async function buildPage(): Promise<void> {
  const vite = join(root, 'node_modules/.bin/vite')
  const folder = join(root, 'packages/console/ui')
  await promisify(execFile)(vite, ['build', folder, '--logLevel', 'warn'], { cwd: root })
}

export interface PageFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export function builtPage(): PageFile[] {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:html|js|css)$/u.test(path))
    .map((path) => ({ path, bytes: readFileSync(join(built, path)) }))
}

/** In bytes, packed. */
export function pageWeight(files: readonly PageFile[], language: 'en' | 'zh'): number {
  const html = files.find(({ path }) => path === 'index.html')
  const document = html === undefined ? '' : Buffer.from(html.bytes).toString()
  const needed = files.filter(
    ({ path }) =>
      path === 'index.html' || document.includes(path) || path.startsWith(`assets/${language}-`),
  )
  return packed(needed)
}

/** Of what is fetched when the first picture is there: the pages behind it. In bytes, packed. */
export function weightBehind(files: readonly PageFile[]): number {
  return packed(files.filter(({ path }) => path.startsWith('assets/rest-')))
}

function packed(files: readonly PageFile[]): number {
  return files.reduce((sum, { bytes }) => sum + gzipSync(bytes).byteLength, 0)
}
