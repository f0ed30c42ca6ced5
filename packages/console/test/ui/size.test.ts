import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { build } from 'vite'

const configFile = fileURLToPath(new URL('../../ui/vite.config.ts', import.meta.url))
/** Of all pages before charts, and of what the first picture waits for, in bytes. */
const limits = { all: 60_000, first: 50_000 }
/**
 * What no page waits for, and is mostly not seen: charts, the texts of the help page, and in Chinese the
 * server's own sentences, which it says in English.
 */
const aside = /^assets\/(?:draw-chart|help|chinese-cron|errors|messages)-/u
const languages = ['en', 'zh'] as const

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

  function sizeOf(paths: readonly string[]): number {
    return paths.reduce((sum, path) => sum + gzipSync(files.get(path) ?? '').byteLength, 0)
  }

  it.each(languages)(
    'is at most 60 kB with all its pages before charts, for a reader of %s',
    (language) => {
      const others = languages.filter((each) => each !== language)
      const needed = [...files.keys()].filter(
        (path) => !aside.test(path) && others.every((each) => !path.startsWith(`assets/${each}-`)),
      )
      expect(needed.some((path) => path.startsWith('assets/rest-'))).toBe(true)
      expect(sizeOf(needed)).toBeLessThanOrEqual(limits.all)
    },
  )

  it.each(languages)(
    'has its first picture after at most 50 kB, for a reader of %s',
    (language) => {
      const html = files.get('index.html') ?? ''
      // What the document names, and the reader's words.
      const needed = [...files.keys()].filter(
        (path) =>
          path === 'index.html' || html.includes(path) || path.startsWith(`assets/${language}-`),
      )
      expect(needed.length).toBeGreaterThanOrEqual(4)
      expect(sizeOf(needed)).toBeLessThanOrEqual(limits.first)
    },
  )

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
