/** The page: files built by vite, with names that change with their content. */
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { extname, join, normalize, sep } from 'node:path'
import { Readable } from 'node:stream'

import type { Context, Hono } from 'hono'
import { compress } from 'hono/compress'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Undefined: API only, without a page. */
export function mountPage(app: Hono, directory: string | undefined, basePath: string): void {
  app.get('*', compress(), (context) => {
    if (directory === undefined) return noPage(context)
    const { pathname } = new URL(context.req.url)
    const file = fileOf(directory, pathname.slice(basePath.length))
    // Every view has its own URL, and all of them serve this document.
    return file === undefined || extname(file) === '.html'
      ? sendDocument(context, join(directory, 'index.html'), basePath)
      : send(context, file)
  })
}

/**
 * The document refers to its files as `"./…"`, but is served at every URL. The paths are rewritten here, because the
 * content security policy does not allow `<base>`.
 */
function sendDocument(context: Context, path: string, basePath: string): Response {
  if (!isFile(path)) return noPage(context)
  const text = readFileSync(path, 'utf8').replaceAll('"./', `"${basePath}/`)
  context.header('Cache-Control', 'no-cache')
  return context.html(text)
}

/** A file below the directory; undefined for every other path. */
function fileOf(directory: string, pathname: string): string | undefined {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return undefined
  }
  if (decoded.includes('\0') || !Object.hasOwn(types, extname(decoded))) return undefined
  const path = normalize(join(directory, decoded))
  return path.startsWith(normalize(directory) + sep) && isFile(path) ? path : undefined
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function send(context: Context, path: string): Response {
  const type = types[extname(path)] ?? 'application/octet-stream'
  const isNamedByContent = path.includes(`${sep}assets${sep}`)
  context.header('Content-Type', type)
  context.header(
    'Cache-Control',
    isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
  )
  return context.body(Readable.toWeb(createReadStream(path)) as ReadableStream)
}

function noPage(context: Context): Response {
  return context.text('The page of the console is not built. The API is at /api.', 404)
}
