/** Where things are: a hundred edge locations of the platform and the cities of the banks (degrees north and east), and the ways between. */

/** Where KV's central stores are: the nearer one is asked. */
const KV_CENTRAL = ["Amsterdam", "Ashburn"];
/** Light in fibre, on ways that much longer than the great circle. */
const [FIBRE_KM_PER_MS, CABLE_FACTOR] = [200, 1.5];
/** A write is durable when so many of the nearest other hubs have confirmed it. */
const CONFIRMATIONS = 3;

export interface Place {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Assumed to hold Durable Objects, D1 and a regional cache of KV; the other locations only run Workers. */
  readonly hub: boolean;
}

/** Name, latitude, longitude; a star marks a hub. */
const LOCATION_LINES = `
  *Amsterdam 52.37 4.90;    *Frankfurt 50.11 8.68;    *London 51.51 -0.13;      *Paris 48.86 2.35;        *Madrid 40.42 -3.70
  *Milan 45.46 9.19;        *Stockholm 59.33 18.07;   *Warsaw 52.23 21.01;      *Vienna 48.21 16.37;      *Prague 50.08 14.44
  Athens 37.98 23.73;       Barcelona 41.39 2.17;     Belgrade 44.79 20.45;     Berlin 52.52 13.41;       Bratislava 48.15 17.11
  Brussels 50.85 4.35;      Bucharest 44.43 26.10;    Budapest 47.50 19.04;     Copenhagen 55.68 12.57;   Dublin 53.35 -6.26
  Dusseldorf 51.23 6.78;    Edinburgh 55.95 -3.19;    Geneva 46.20 6.14;        Gothenburg 57.71 11.97;   Hamburg 53.55 9.99
  Helsinki 60.17 24.94;     Istanbul 41.01 28.98;     Kyiv 50.45 30.52;         Lisbon 38.72 -9.14;       Luxembourg 49.61 6.13
  Lyon 45.76 4.84;          Manchester 53.48 -2.24;   Marseille 43.30 5.37;     Munich 48.14 11.58;       Nicosia 35.17 33.36
  Oslo 59.91 10.75;         Palermo 38.12 13.36;      Reykjavik 64.15 -21.94;   Riga 56.95 24.11;         Rome 41.90 12.50
  Skopje 42.00 21.43;       Sofia 42.70 23.32;        Tallinn 59.44 24.75;      Thessaloniki 40.64 22.94; Tirana 41.33 19.82
  Vilnius 54.69 25.28;      Zagreb 45.81 15.98;       Zurich 47.38 8.54;        Chisinau 47.01 28.86;     Ljubljana 46.06 14.51
  *Ashburn 39.04 -77.49;    *Chicago 41.88 -87.63;    *Dallas 32.78 -96.80;     *Los-Angeles 34.05 -118.24; *San-Jose 37.34 -121.89
  *Miami 25.76 -80.19;      *New-York 40.71 -74.01;   *Seattle 47.61 -122.33;   Atlanta 33.75 -84.39;     Boston 42.36 -71.06
  Denver 39.74 -104.99;     Montreal 45.50 -73.57;    Toronto 43.65 -79.38;     Vancouver 49.28 -123.12;  Mexico-City 19.43 -99.13
  Bogota 4.71 -74.07;       Lima -12.05 -77.04;       Santiago -33.45 -70.67;   Buenos-Aires -34.60 -58.38; *Sao-Paulo -23.55 -46.63
  Rio -22.91 -43.17;        Panama 8.98 -79.52;       Cairo 30.04 31.24;        Casablanca 33.57 -7.59;   Tunis 36.81 10.18
  Lagos 6.52 3.38;          Accra 5.60 -0.19;         Nairobi -1.29 36.82;      *Johannesburg -26.20 28.05; Cape-Town -33.92 18.42
  *Dubai 25.20 55.27;       Riyadh 24.71 46.68;       Tel-Aviv 32.09 34.78;     Doha 25.29 51.53;         Baku 40.41 49.87
  Tbilisi 41.72 44.83;      Almaty 43.24 76.89;       *Mumbai 19.08 72.88;      Delhi 28.61 77.21;        Chennai 13.08 80.27
  Bangkok 13.76 100.50;     *Singapore 1.35 103.82;   Jakarta -6.21 106.85;     Manila 14.60 120.98;      *Hong-Kong 22.32 114.17
  Taipei 25.03 121.57;      Seoul 37.57 126.98;       *Tokyo 35.68 139.69;      *Sydney -33.87 151.21;    Auckland -36.85 174.76`;

/** Where the banks' servers are. */
const BANK_LINES = `
  Helsinki 60.17 24.94; Tallinn 59.44 24.75; Warsaw 52.23 21.01;  Frankfurt 50.11 8.68; Dublin 53.35 -6.26
  Paris 48.86 2.35;     Madrid 40.42 -3.70;  Milan 45.46 9.19;    Athens 37.98 23.73;   Bucharest 44.43 26.10`;

const read = (text: string): Place[] =>
  text.split(/[;\n]/).flatMap((entry) => {
    const [name = "", latitude, longitude] = entry.trim().split(/\s+/);
    const place = { latitude: Number(latitude), longitude: Number(longitude), hub: name.startsWith("*") };
    return name === "" ? [] : { name: name.replace("*", "").replaceAll("-", " "), ...place };
  });
export const LOCATIONS = read(LOCATION_LINES);
export const BANKS = read(BANK_LINES);
const HUBS = LOCATIONS.filter(({ hub }) => hub);
export const locationOf = (city: string): Place => first(LOCATIONS.filter(({ name }) => name === city));

function first(places: readonly Place[]): Place {
  const [place] = places;
  if (!place) throw new Error("no such place");
  return place;
}

/** Keeps what was computed for a place. */
function kept<Value>(compute: (place: Place) => Value): (place: Place) => Value {
  const known = new Map<Place, Value>();
  return (place) => {
    if (!known.has(place)) known.set(place, compute(place));
    return known.get(place) as Value;
  };
}

/** Along the great circle (haversine formula). */
export function distanceKm(from: Place, to: Place): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [north, south] = [radians(from.latitude), radians(to.latitude)];
  const half =
    Math.sin((south - north) / 2) ** 2 +
    Math.cos(north) * Math.cos(south) * Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * 6_371 * Math.asin(Math.sqrt(half));
}
export const wayFrom = kept((from) => kept((to) => (2 * distanceKm(from, to) * CABLE_FACTOR) / FIBRE_KM_PER_MS));
export const nearest = (from: Place, places: readonly Place[]): Place[] =>
  places.toSorted((a, b) => distanceKm(from, a) - distanceKm(from, b));
export const hubOf = kept((place) => first(nearest(place, HUBS)));
export const centralOf = kept((hub) => first(nearest(hub, KV_CENTRAL.map(locationOf))));
export const confirmationMs = kept((home) => {
  const last = nearest(home, HUBS).filter((hub) => hub !== home)[CONFIRMATIONS - 1];
  return last ? wayFrom(home)(last) : 0;
});
