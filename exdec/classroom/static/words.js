// Every text of the pupil's page, and how each language writes numbers. A pair of texts is for
// {n} = 1 and for any other. X-FINE, FINE and STANDARD are names on the class's board, so they stay.
// The English sentences are those of exdec/narrate.py and exdec/notebook/advice.py.

const en = {
  tongue: "English",
  months: "January February March April May June July August September October November December",
  and: " and ", or: " or ",

  enter: "Join a class", code: "Class code, from the board", goOn: "Go on", goOnAs: "Go on as {name}",
  codeWrong: "No class has this code. Look at the board again.",
  name: "Your name", nameWrong: "Write a name of 1 to 24 letters.", joinAs: "Join as {name}",
  locked: "Nobody else can join just now.",
  busy: "Many are joining. Trying again…",
  youAre: "You are {name}", mine: "This is my seat",
  revoked: "This link opens no seat. Ask for a new one.",
  gone: "The class is closed.",
  here: ["{n} pupil is here.", "{n} pupils are here."],
  soon: "Your instructor starts the game. Leave this page open.",
  how: "How it goes",
  rule1: "Each month, order materials, then offer goods made of them.",
  rule2: "Prices are sealed; units are announced when all are in.",
  rule3: "More ordered: the price rises. More offered: it falls.",
  rule4: "Bid the market price or more to buy, at your bid. Ask it or less to sell, at your ask.",
  rule5: "A = 2 X-FINE + 1 FINE, B = 1 of each, C = 1 FINE + 2 STANDARD. The most profit wins.",
  seatName: "Your seat", copy: "Copy the address", copied: "Copied.",
  seatHelp: "This page's address is your seat. Keep it secret. It opens on another phone too.",

  offline: "No connection. Trying again…",
  silent: "The class is not answering. Trying again…",
  sending: "Sending…", unsent: "Not sent yet: trying again.",
  buy: "order", sell: "offer", over: "The game ended with {month}",
  cash: "cash", profit: "profit", timeLeft: "{time} left", timeUp: "Time is up", paused: "Paused",

  handIn: "Hand in",
  units: "{item}, units", price: "{item}, price a unit in dollars", total: "Total {amount}",
  left: ["{n} unit and {cash} left", "{n} units and {cash} left"],
  last: "Last {price}.", costs: "One costs you {cost}", about: "about {cost}",
  makes: "{one}, so {price} makes {gain}.",
  count: "{n} of {limit} units.", takeOff: "Take {over} off.", ofGrade: "{n} of at most {limit} {item}.",
  tooMuch: "{amount} at stake, and you have {cash}. If too many of these bids succeed, you buy nothing at all this month. Bid for less.",
  wouldMake: "All of it would make {most}.", canMake: "You can make {most}.",
  besides: "Beside this you can make {most}.", upTo: "up to {most}",
  nothing: "nothing", nothingMore: "nothing more",
  cannotMake: "{goods} cannot be made of {held}. {then} Offer less.",
  notTaken: "Such an offer is not taken.",
  penalty: "If the market takes more than you can make, you sell nothing at all this month.",
  ifSold: "{amount} if all of it is sold; its certificates cost you {cost}.",
  belowCost: "{price} for {item} is below what it costs you: {loss} lost if sold.",
  noPrice: "{item}: {n} without a price. Write one beside the units.",
  noNumber: "{what}: '{text}' is not a whole number. Write it like 10.",
  pass: "No units are written down. To pass, press Hand in once more.",
  risk: "Read the warning above. To take the risk, press Hand in once more.",

  sealed: "Handed in", receipt: "Receipt {n}", passed: "You pass.", change: "Change my bid",
  areIn: "Handed in: {names}.", waitingFor: "Waiting for {names}.", away: "{name} (away)",
  missed: "{month}, {step}: this is settled. Too late for {bids}.",
  refused: "This was not taken. {text}",
  wait: "Your table is done; others are not yet.",
  stopped: "The class is paused. What you typed stays.",
  bot: "A bot ({bot}) plays your seat.", takeBack: "Take my seat back",
  mates: "You share this seat with {names}.",
  messageNews: "Your instructor says: {text}", reopenedNews: "{month}, {step}: open again.",
  undoneNews: "{month}, {step}: to be handed in again.", extendedNews: "{seconds} seconds more.",

  materials: "{month}, materials", goods: "{month}, goods",
  Ordered: "{n} {item} ordered", noneOrdered: "Nobody orders {item}",
  Offered: "{n} {item} offered", noneOffered: "Nobody offers {item}",
  posts: "{what}, so {move}: it posts at {price}.",
  floor: "{what}, so {move}; it stops at its lowest price, {price}.",
  meets: "Your {bid} meets it", pays: "Your {bid} is above it, and you pay what you bid",
  gets: "Your {bid} is below it, and you get what you asked",
  bought: "{n} {item} for {amount}", sold: "{n} {item} sold for {amount}",
  partBought: "Your {bid} is {gap} below it, so {lost} of {units} are lost: {goods}.",
  partSold: "Your {bid} is {gap} above it, so {lost} of {units} are lost: {goods}.",
  "below market": "Your {bid} is below it: you get none, and pay nothing.",
  "above market": "Your {bid} is above it: none is sold, and the certificates stay with you.",
  wouldBuy: "Your {bid} would buy {n}", wouldSell: "Your {bid} would sell {n}", too: "{would} too.",
  "short of cash": "{would}, but all that you won costs {due} and there is only {cash}: no purchase at all this month.",
  "cannot deliver": "{would}, but you cannot deliver all that you sold: no sale at all this month, and the certificates stay.",
  paid: "You pay {amount} and have {cash}.", buysNothing: "You buy nothing and have {cash}.",
  received: "You receive {amount} and have {cash}.", sellsNothing: "You sell nothing and have {cash}.",
  standsIn: ["{n} {held} stands in for {wanted}", "{n} {held} stand in for {wanted}"],

  end: "The end", yourProfit: "Your profit is {amount}.", yourLoss: "Your loss is {amount}.",
  broker: "The Broker pays {amount} for the certificates you still hold.",
  win: "You win.", share: "You share the win.", beaten: "{names} made more: {best}.",
  standings: "Standings", table: "table", firm: "firm", chart: "Prices, $ a unit", opening: "Opening",
  board: "Price Level Board, $ a unit", firms: "The firms at your table", you: "you",
  holds: "holds", announced: "announced last", tally: "Your Tally sheet, units@price",
  languageName: "Language",
};

const es = {
  tongue: "Español",
  months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  and: " y ", or: " o ",

  enter: "Entra en una clase", code: "Código de la clase, en la pantalla", goOn: "Continuar", goOnAs: "Continuar como {name}",
  codeWrong: "Ninguna clase tiene este código. Míralo otra vez.",
  name: "Tu nombre", nameWrong: "Escribe un nombre de 1 a 24 letras.", joinAs: "Entrar como {name}",
  locked: "Ahora no puede entrar nadie más.",
  busy: "Está entrando mucha gente. Reintentando…",
  youAre: "Eres {name}", mine: "Este es mi puesto",
  revoked: "Este enlace no abre ningún puesto. Pide otro.",
  gone: "La clase está cerrada.",
  here: ["Hay {n} persona aquí.", "Hay {n} personas aquí."],
  soon: "Tu docente inicia la partida. Deja esta página abierta.",
  how: "Cómo se juega",
  rule1: "Cada mes, pide materiales y después ofrece productos hechos con ellos.",
  rule2: "Los precios son secretos; las unidades se anuncian al final.",
  rule3: "Si se pide más, el precio sube. Si se ofrece más, baja.",
  rule4: "Compras si das el precio de mercado o más; vendes si pides ese o menos. Siempre a tu precio.",
  rule5: "A = 2 X-FINE + 1 FINE, B = 1 de cada uno, C = 1 FINE + 2 STANDARD. Gana quien obtiene más beneficio.",
  seatName: "Tu puesto", copy: "Copiar la dirección", copied: "Copiada.",
  seatHelp: "La dirección de esta página es tu puesto. No la compartas. También se abre en otro teléfono.",

  offline: "Sin conexión. Reintentando…",
  silent: "La clase no responde. Reintentando…",
  sending: "Enviando…", unsent: "Aún no se ha enviado. Reintentando…",
  buy: "pedido", sell: "oferta", over: "La partida terminó en {month}",
  cash: "dinero", profit: "beneficio", timeLeft: "quedan {time}", timeUp: "Se acabó el tiempo", paused: "En pausa",

  handIn: "Entregar",
  units: "{item}, unidades", price: "{item}, precio por unidad en dólares", total: "Total: {amount}",
  left: ["te quedan {n} unidad y {cash}", "te quedan {n} unidades y {cash}"],
  last: "Último: {price}.", costs: "Uno te cuesta {cost}", about: "unos {cost}",
  makes: "{one}, así que con {price} ganas {gain}.",
  count: "{n} de {limit} unidades.", takeOff: "Quita {over}.", ofGrade: "{n} de un máximo de {limit} {item}.",
  tooMuch: "Arriesgas {amount} y tienes {cash}. Si consigues demasiado de lo que pides, este mes no compras nada. Pide menos.",
  wouldMake: "Con todo ello harías {most}.", canMake: "Puedes hacer {most}.",
  besides: "Además de esto puedes hacer {most}.", upTo: "hasta {most}",
  nothing: "nada", nothingMore: "nada más",
  cannotMake: "{goods} no se puede hacer con {held}. {then} Ofrece menos.",
  notTaken: "Una oferta así no se acepta.",
  penalty: "Si el mercado acepta más de lo que puedes hacer, este mes no vendes nada.",
  ifSold: "{amount} si lo vendes todo; sus certificados te cuestan {cost}.",
  belowCost: "{price} por {item} es menos de lo que te cuesta: pierdes {loss} si se vende.",
  noPrice: "{item}: {n} sin precio. Escríbelo junto a las unidades.",
  noNumber: "{what}: «{text}» no es un número entero. Escríbelo así: 10.",
  pass: "No has escrito ninguna unidad. Para pasar, pulsa Entregar otra vez.",
  risk: "Lee el aviso de arriba. Para correr el riesgo, pulsa Entregar otra vez.",

  sealed: "Entregado", receipt: "Recibo {n}", passed: "Pasas.", change: "Cambiar mi entrega",
  areIn: "Han entregado: {names}.", waitingFor: "Falta por entregar: {names}.", away: "{name} (ausente)",
  missed: "{month}, {step}: ya está resuelto. Demasiado tarde para {bids}.",
  refused: "No se ha aceptado. {text}",
  wait: "Tu mesa ha terminado; faltan otras.",
  stopped: "La clase está en pausa. Lo que escribiste sigue aquí.",
  bot: "Un bot ({bot}) juega en tu puesto.", takeBack: "Recuperar mi puesto",
  mates: "Compartes este puesto con {names}.",
  messageNews: "Tu docente dice: {text}", reopenedNews: "{month}, {step}: abierto otra vez.",
  undoneNews: "{month}, {step}: hay que entregar otra vez.", extendedNews: "{seconds} segundos más.",

  materials: "{month}, materiales", goods: "{month}, productos",
  Ordered: ["Se pide {n} {item}", "Se piden {n} {item}"], noneOrdered: "Nadie pide {item}",
  Offered: ["Se ofrece {n} {item}", "Se ofrecen {n} {item}"], noneOffered: "Nadie ofrece {item}",
  posts: "{what}, así que {move}: queda en {price}.",
  floor: "{what}, así que {move}; se detiene en su precio mínimo, {price}.",
  meets: "Tu precio de {bid} coincide", pays: "Tu precio de {bid} es más alto, y pagas lo que has escrito",
  gets: "Tu precio de {bid} es más bajo, y cobras lo que has pedido",
  bought: "{n} {item} por {amount}", sold: "vendes {n} {item} por {amount}",
  partBought: "Tu precio de {bid} está {gap} por debajo, así que pierdes {lost} de {units}: {goods}.",
  partSold: "Tu precio de {bid} está {gap} por encima, así que pierdes {lost} de {units}: {goods}.",
  "below market": "Tu precio de {bid} es más bajo: no recibes nada y no pagas nada.",
  "above market": "Tu precio de {bid} es más alto: no vendes nada y conservas los certificados.",
  wouldBuy: "Con {bid} comprarías {n}", wouldSell: "Con {bid} venderías {n}", too: "{would} también.",
  "short of cash": "{would}, pero todo lo que has conseguido cuesta {due} y solo hay {cash}: este mes no compras nada.",
  "cannot deliver": "{would}, pero no puedes entregar todo lo que has vendido: este mes no vendes nada y conservas los certificados.",
  paid: "Pagas {amount} y tienes {cash}.", buysNothing: "No compras nada y tienes {cash}.",
  received: "Recibes {amount} y tienes {cash}.", sellsNothing: "No vendes nada y tienes {cash}.",
  standsIn: ["{n} {held} sustituye a {wanted}", "{n} {held} sustituyen a {wanted}"],

  end: "El final", yourProfit: "Tu beneficio es de {amount}.", yourLoss: "Tu pérdida es de {amount}.",
  broker: "El Broker paga {amount} por los certificados que aún tienes.",
  win: "Ganas.", share: "Compartes la victoria.", beaten: ["{names} obtuvo más: {best}.", "{names} obtuvieron más: {best}."],
  standings: "Clasificación", table: "mesa", firm: "empresa", chart: "Precios, $ por unidad", opening: "Inicio",
  board: "Tablero de precios, $ por unidad", firms: "Las empresas de tu mesa", you: "tú",
  holds: "tiene", announced: "último anuncio", tally: "Tu hoja de cuentas, unidades@precio",
  languageName: "Idioma",
};

export const WORDS = { en, es };
let tongue = "en";

/** The language that texts are in. */
export const language = () => tongue;

/** Choose the first of these languages that there is; English if there is none. */
export function speak(wanted) {
  tongue = [...wanted, "en"].map((code) => String(code).slice(0, 2)).find((code) => code in WORDS);
}

/** A text with its placeholders filled; what is no text's name stands for itself. */
export function t(key, values = {}) {
  const text = WORDS[tongue][key] || key;
  const chosen = typeof text === "string" ? text : text[values.n === 1 ? 0 : 1];
  return chosen.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export const monthName = (month) => WORDS[tongue].months.split(" ")[month - 1];

/** Join "a", "b", "c" as "a, b and c". */
export const list = (parts, last) =>
  [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter(Boolean).join(last);

// Spanish too puts the sign in front, as the board does. Its readers differ on whether a point or a
// comma parts thousands, so neither does: a narrow space parts five digits and more.
function digits(number) {
  const text = String(Math.abs(number));
  if (tongue === "es" && text.length < 5) return text;
  return text.replace(/\B(?=(\d{3})+$)/g, tongue === "es" ? "\u202f" : ",");
}

export const dollars = (amount) => `${amount < 0 ? "−" : ""}$${digits(amount)}`;
export const signed = (n) => (n === 0 ? "±0" : `${n > 0 ? "+" : "−"}${digits(n)}`);
export const change = (amount) => (amount > 0 ? `+${dollars(amount)}` : dollars(amount));
