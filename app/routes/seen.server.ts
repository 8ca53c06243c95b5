/** The version shown by the page whose button was pressed; without one, as from a script, the current version is changed. */
export const seenIn = <Name extends string>(formData: FormData, name: Name): { [name in Name]?: number } =>
  /^\d{1,9}$/.test(String(formData.get(name) ?? ''))
    ? ({ [name]: Number(formData.get(name)) } as { [name in Name]?: number })
    : {}
