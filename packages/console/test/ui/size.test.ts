import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { build } from 'vite'

const configFile = fileURLToPath(new URL('../../ui/vite.config.ts', import.meta.url))
const limit = 60_000

describe('the built page', () => {
  let files: ReadonlyMap<string, string>

  beforeAll(async () => {
    const outDir = mkdtempSync(join(tmpdir(), 'console-page-'))
    // Under test, libraries would bring what helps their developers.
    vi.stubEnv('NODE_ENV', 'production')
    await build({ configFile, logLevel: 'silent', build: { outDir } })
    files = new Map(
      readdirSync(outDir, { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(?:html|js|css)$/u.test(path))
        .map((path) => [path, readFileSync(join(outDir, path), 'utf8')]),
    )
    vi.unstubAllEnvs()
    rmSync(outDir, { recursive: true })
  }, 120_000)

  it.each(['en', 'zh'])('is at most 60 kB before charts, for a reader of %s', (language) => {
    const html = files.get('index.html') ?? ''
    // What the document names, and the reader's words: nothing else is fetched for the first picture.
    const needed = [...files].filter(
      ([path]) =>
        path === 'index.html' || html.includes(path) || path.startsWith(`assets/${language}-`),
    )
    expect(needed.length).toBeGreaterThan(3)
    const size = needed.reduce((sum, [, text]) => sum + gzipSync(text).byteLength, 0)
    expect(size).toBeLessThanOrEqual(limit)
  })

  it('has no code or style inside the document, and loads nothing from elsewhere', () => {
    const html = files.get('index.html') ?? ''
    expect(html).toContain('<script type="module"')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/u)
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//u)
  })

  it('has no schemas in it', () => {
    const found = [...files].filter(([, text]) => text.includes('ZodError'))
    expect(found.map(([path]) => path)).toEqual([])
  })
})
