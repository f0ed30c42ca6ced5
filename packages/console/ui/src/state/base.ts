/** Where the console stands on its host: empty at the root, else a path such as `/elasticjob`. */
export const base: string = (
  document.querySelector('meta[name="elasticjob-base"]')?.getAttribute('content') ?? ''
).replace(/^\.?\/$|\/$/u, '')

/** The address of a page without that. */
export function withoutBase(path: string): string {
  return path.slice(base.length) || '/'
}
