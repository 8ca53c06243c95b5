import { useEffect } from 'react'

const ERROR = 'Error: '

/** The title of a page whose form was refused, as the server draws it. */
export const errorTitle = (refused: boolean, title: string): string => (refused ? `${ERROR}${title}` : title)

/** The same for a form that a script has sent, until the next page. */
export function useErrorTitle(refused: boolean): void {
  useEffect(() => {
    if (!refused) return
    if (!document.title.startsWith(ERROR)) document.title = `${ERROR}${document.title}`
    return () => {
      document.title = document.title.replace(ERROR, '')
    }
  }, [refused])
}
