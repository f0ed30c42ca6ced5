/** Where the console stands on its host: empty at the root, else a path such as `/elasticjob`. */
export const base: string = (
  document.querySelector('meta[name="elasticjob-base"]')?.getAttribute('content') ?? ''
).replace(/^\.?\/$|\/$/u, '')
