/** The id of the first journey in a list; the bell, which comes before it, leads to journeys too. */
export const listedJourney = (page: string): string =>
  /\/lljs\/(\d+)\/schedule"/.exec(page.slice(page.indexOf('<main')))?.[1] ?? ''
