/** Replaces addresses in a dump, because users share dumps. */
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d{2}|[1-9]?\d)`
const address = new RegExp(String.raw`${octet}(?:\.${octet}){3}`, 'g')

/** Replaces every address by a name, `ip1`, `ip2` …; equal addresses get equal names. */
export class AddressMask {
  readonly #names = new Map<string, string>()

  mask(text: string): string {
    return text.replaceAll(address, (found) => {
      let name = this.#names.get(found)
      if (name === undefined) {
        name = `ip${this.#names.size + 1}`
        this.#names.set(found, name)
      }
      return name
    })
  }
}
