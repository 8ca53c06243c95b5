/** What a form brings as a file or as typed text; the file wins. */
import { readTextFile } from '#app/domain/text-file.ts'

type Chosen = { text: string; isTyped: boolean } | { problem: string }

export async function chosenText(formData: FormData, name: string): Promise<Chosen> {
  const file = formData.get('file')
  const typed = String(formData.get(name) ?? '').replace(/\r\n?/g, '\n')
  if (!(file instanceof File) || file.size === 0) return { text: typed, isTyped: true }
  const read = readTextFile(new Uint8Array(await file.arrayBuffer()))
  if ('problem' in read) return { problem: `${file.name}: ${read.problem}` }
  const text = read.text.replace(/\r\n?/g, '\n')
  return { text, isTyped: text === typed }
}
