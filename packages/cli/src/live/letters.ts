/** Short names for instances, stable while the view is open. */
export function lettersOf(): (instance: string) => string {
  const names = new Map<string, string>()
  return (instance) => {
    const known = names.get(instance)
    if (known !== undefined) return known
    const name = letters(names.size)
    names.set(instance, name)
    return name
  }
}

/** A to Z, then AA, AB and so on. */
function letters(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26))
  return index < 26 ? letter : letters(Math.floor(index / 26) - 1) + letter
}
