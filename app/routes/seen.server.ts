/** Which state the page showed whose button was pressed; a script that names none changes what is there. */
export const seenIn = <Name extends string>(formData: FormData, name: Name): { [name in Name]?: number } =>
  /^\d{1,9}$/.test(String(formData.get(name) ?? ''))
    ? ({ [name]: Number(formData.get(name)) } as { [name in Name]?: number })
    : {}
