/** The URL of a module next to another one, source or compiled. */
export function beside(module: string, name: string): URL {
  return new URL(`${name}.${module.endsWith('.ts') ? 'ts' : 'js'}`, module)
}
