// Every text: its name, English if that is another, and below it Spanish; before a bar for {n} = 1.
// The English sentences are those of exdec/narrate.py and exdec/notebook/advice.py.

export const LANGUAGES = { en: "English", es: "Español" };

export const TEXTS = {};
`
and
	y
or
	o

enter=Join a class
	Entra en una clase
code=Class code
	Código de la clase
goOnAs=Go on as {name}
	Continuar como {name}
name=Your name
	Tu nombre
joinAs=Join as {name}
	Entrar como {name}
youAre=You are {name}
	Eres {name}
mine=This is my seat
	Este es mi puesto
other=Not you? Close this page and tell your teacher.
	¿No eres tú? Cierra esta página y avisa a tu docente.
revoked=This link opens no seat. Ask for a new one.
	Este enlace no abre ningún puesto. Pide otro.
gone=The class is closed.
	La clase está cerrada.
here=Pupils here: {n}.
	Personas aquí: {n}.
soon=Your teacher starts the game. Leave this page open.
	Tu docente inicia la partida. Deja esta página abierta.
how=How it goes
	Cómo se juega
rule1=Each month, order materials, then offer goods made of them.
	Cada mes, pide materiales y ofrece productos hechos con ellos.
rule2=Prices stay secret; units are announced.
	Los precios son secretos; las unidades se anuncian.
rule3=More ordered: the price rises. More offered: it falls.
	Si se pide más, el precio sube. Si se ofrece más, baja.
rule4=Bid the market price or more to buy, at your bid. Ask it or less to sell, at your ask.
	Compras si das el precio de mercado o más; vendes si pides ese o menos. Siempre a tu precio.
rule5=The most profit wins.
	Gana el mayor beneficio.
recipes=Rules and recipes
	Reglas y recetas
goods
	productos
materials
	materiales
calc={items}: {none}, and {each} for each unit of all firms
	{items}: {none}, y {each} por cada unidad de todas las empresas
partial={what}: a bid that misses loses a unit for each dollar.
	{what}: si no alcanzas el precio, pierdes una unidad por dólar.
mayStandIn={held} may stand in for {for}.
	{held} puede sustituir a {for}.
seatName=Your seat
	Tu puesto
copy=Copy the address
	Copiar la dirección
copied=Copied.
	Copiada.
seatHelp=This address is your seat, on any phone. Keep it secret.
	Esta dirección es tu puesto, en cualquier teléfono. No la compartas.

again=Trying again…
	Reintentando…
silent=The class is not answering.
	La clase no responde.
sending=Sending…
	Enviando…
unsent=Not sent yet.
	Aún sin enviar.
buy=order
	pedido
sell=offer
	oferta
over=The game ended with {month}
	La partida terminó en {month}
cash
	dinero
profit
	beneficio
left={what} left
	queda {what}|quedan {what}
timeUp=Time is up
	Se acabó el tiempo
pausedNo=The class is paused.
	La clase está en pausa.

notYet=Not handed in yet.
	Aún no has entregado.
handIn=Hand in
	Entregar
goOn=Nothing to offer: go on
	Nada que ofrecer: seguir
units={item}, units
	{item}, unidades
price={item}, price a unit in dollars
	{item}, precio por unidad en dólares
total=Total {sum}
	Total: {sum}
count={n} unit|{n} units
	{n} unidad|{n} unidades
many={what} too many
	sobra {what}|sobran {what}
overCash={what} too much
	falta {what}|faltan {what}
costs=One costs you {cost}
	Uno te cuesta {cost}
last=Last {price}. It can post at {range}.
	Último: {price}. Puede quedar en {range}.
to
	a
utmost={own} at most
	{own} como mucho
about=about {cost}
	unos {cost}
makes={one}, so {price} makes {gain}.
	{one}, así que con {price} ganas {gain}.
ofAll={n} of {limit} units.
	{n} de {limit} unidades.
takeOff=Take {over} off.
	Quita {over}.
ofGrade={n} of at most {limit} {item}.
	{n} de un máximo de {limit} {item}.
tooMuch={sum} at stake, and you have {cash}. If too many of these bids succeed, you buy nothing at all this month. Bid for less.
	Arriesgas {sum} y tienes {cash}. Si consigues demasiado, este mes no compras nada. Pide menos.
wouldMake=All of it would make {most}.
	Con todo ello harías: {most}.
canMake=You can make {most}.
	Puedes hacer: {most}.
besides=Beside this you can make {most}.
	Además puedes hacer: {most}.
upTo=up to {most}
	hasta {most}
nothing
	nada
nothingMore=nothing more
	nada más
cannotMake={goods} cannot be made of {held}. {then} Offer less.
	Con {held} no puedes hacer {goods}. {then} Ofrece menos.
notTaken=Such an offer is not taken.
	Una oferta así no se acepta.
penalty=If the market takes more than you can make, you sell nothing at all this month.
	Si el mercado acepta más de lo que puedes hacer, este mes no vendes nada.
ifSold={sum} if all of it is sold; its certificates cost you {cost}.
	{sum} si lo vendes todo; sus certificados te cuestan {cost}.
belowCost={price} for {item} is below what it costs you: {loss} lost if sold.
	{price} por {item} es menos de lo que te cuesta: pierdes {loss} si se vende.
tooLow={price} for {item} is below {bound}, the lowest it can post at, so you get none.
	{price} por {item} es menos de {bound}, el mínimo posible: no recibes nada.
tooHigh={price} for {item} is above {bound}, the highest it can post at, so you {then}.
	{price} por {item} es más de {bound}, el máximo posible: {then}.
saleNone=sell none
	no vendes nada
overpay=pay more than you need
	pagas más de lo necesario
noPrice={item}: {n} without a price. Write one beside the units.
	{item}: {n} sin precio. Escríbelo junto a las unidades.
noNumber={what}: '{text}' is not a whole number. Write it like 10.
	{what}: «{text}» no es un número entero. Escríbelo así: 10.
minus={what}: '{text}' is below 0. Write 0 or more.
	{what}: «{text}» es menos de 0. Escribe 0 o más.
pass=No units are written down. To pass, press Hand in once more.
	No has escrito ninguna unidad. Para pasar, pulsa Entregar otra vez.
risk=Read the warning. To take the risk, press Hand in once more.
	Lee el aviso. Para arriesgar, pulsa Entregar otra vez.

sealed=Handed in
	Entregado
receipt=Receipt {n}
	Recibo {n}
passed=You pass.
	Pasas.
canChange=You can change it until the step closes.
	Puedes cambiarlo mientras siga abierto.
change=Change my bid
	Cambiar mi entrega
waitingFor=Waiting for {names}.
	Faltan: {names}.
away={name} (away)
	{name} (ausente)
missed={month}, {step}: this is settled. Too late for {bids}.
	{month}, {step}: ya resuelto. Es tarde para {bids}.
wait=Other tables are not done yet.
	Faltan otras mesas.
bot=A bot ({bot}) plays your seat.
	Un bot ({bot}) juega en tu puesto.
cautious=easy
	fácil
margin seeker=medium
	medio
planner=hard
	difícil
takeBack=Take my seat back
	Recuperar mi puesto
mates=You share this seat with {names}.
	Compartes este puesto con {names}.

codeFirst=Type the code.
	Escribe el código.
nameFirst=Write your name.
	Escribe tu nombre.
codeNo=No class has this code.
	Ninguna clase tiene este código.
nameNo=Bots are called so. Write your own name.
	Así se llaman los bots. Escribe tu nombre.
slipNo=This name has a seat. Use the link on its slip, or ask your teacher. Are you another? Add a letter.
	Este nombre ya tiene puesto. Usa el enlace de su papel o avisa a tu docente. ¿No eres tú? Añade una letra.
lockedNo=Nobody else can join now.
	Ahora no puede entrar nadie más.
fullNo=Full: ask your teacher.
	Llena: avisa a tu docente.
busyNo=The class is busy.
	La clase está ocupada.
earlyNo=This step is not open yet.
	Este paso aún no está abierto.
inNo=A bid for this step is in already.
	Ya hay una entrega para este paso.
rulesNo=The rules do not allow this.
	Las reglas no lo permiten.
botNo=Take your seat back first.
	Recupera primero tu puesto.
pagesNo=This seat is open too often.
	Tu puesto está abierto demasiadas veces.
diskNo=The class cannot write this down.
	La clase no puede guardarlo.

messageNews=Your teacher says: {text}
	Tu docente dice: {text}
reopenedNews={month}, {step}: open again. Hand in again.
	{month}, {step}: abierto otra vez. Entrega de nuevo.
extendedNews={seconds} seconds more.
	{seconds} segundos más.
redoneNews=Taken back: the game stands as before.
	Se ha deshecho: la partida sigue como antes.
botNews=A bot ({bot}) plays for {name}.
	Un bot ({bot}) juega por {name}.
backNews=Now {name} plays.
	Ahora juega {name}.
backOwnNews=A bot played your seat until now.
	Hasta ahora jugó un bot en tu puesto.

buyUnits={n} {item} ordered
	Piden {n} {item}
buyNone=Nobody orders {item}
	Nadie pide {item}
sellUnits={n} {item} offered
	Ofrecen {n} {item}
sellNone=Nobody offers {item}
	Nadie ofrece {item}
posts={what}, so {move}: it posts at {price}.
	{what}, así que {move}: queda en {price}.
floor={what}, so {move}; it stops at its lowest price, {price}.
	{what}, así que {move}; se queda en su mínimo, {price}.
bid=Your {price}
	Tu precio de {price}
meets={bid} meets it
	{bid} coincide
buyMore={bid} is above it, and you pay what you bid
	{bid} es más, y es lo que pagas
sellMore={bid} is below it, and you get what you asked
	{bid} es menos, y es lo que cobras
buyDone={n} {item} for {sum}
	{n} {item} por {sum}
sellDone={n} {item} sold for {sum}
	vendes {n} {item} por {sum}
buySide=below
	menos
sellSide=above
	más
part={bid} is {gap} {side} it, so {lost} of {units} are lost: {goods}.
	{bid} es {gap} {side}, así que pierdes {lost} de {units}: {goods}.
below market={bid} is below it: you get none, and pay nothing.
	{bid} es más bajo: no recibes ni pagas nada.
above market={bid} is above it: none is sold, and the certificates stay with you.
	{bid} es más alto: no vendes nada y conservas los certificados.
buyWould={bid} would buy {n}
	{bid} compraría {n}
sellWould={bid} would sell {n}
	{bid} vendería {n}
too={would} too.
	{would} también.
short of cash={would}, but all that you won costs {due} and there is only {cash}: no purchase at all this month.
	{would}, pero todo lo conseguido cuesta {due} y solo hay {cash}: este mes no compras nada.
cannot deliver={would}, but you cannot deliver all that you sold: no sale at all this month, and the certificates stay.
	{would}, pero no puedes entregar todo lo vendido: este mes no vendes nada y conservas los certificados.
buyMoney=You pay {sum}
	Pagas {sum}
buyNothing=You buy nothing
	No compras nada
sellMoney=You receive {sum}
	Recibes {sum}
sellNothing=You sell nothing
	No vendes nada
nothingIn=You handed nothing in.
	No has entregado nada.
have={done} and have {cash}.
	{done} y tienes {cash}.
standsIn={n} {held} stands in for {for}|{n} {held} stand in for {for}
	{n} {held} como {for}

yours=Your {kind} is {sum}.
	Tu {kind} es de {sum}.
loss
	pérdida
broker=The Broker pays {sum} for the certificates you still hold.
	El Broker paga {sum} por los certificados que aún tienes.
win=You win.
	Ganas.
share=You share the win.
	Compartes la victoria.
beaten={names} wins with a {kind} of {best}.|{names} share the win, each with a {kind} of {best}.
	Victoria de {names}: {kind} de {best}.
off=The game was called off
	La partida se canceló
standings=Standings
	Clasificación
table=Table
	Mesa
firm
	empresa
chart=Prices
	Precios
opening=Opening
	Inicio
board=Price Level Board, $ a unit
	Tablero de precios, $ por unidad
firms=Firms at your table
	Empresas de tu mesa
you
	tú
holds
	tiene
announced=announced last
	último anuncio
tally=Your Tally sheet, units@price
	Tu hoja de cuentas, unidades@precio
`.replace(/^(.+?)(?:=(.+))?\n\t(.+)$/gm, (_, key, en = key, es) => (TEXTS[key] = { en, es }));

let tongue = "en";

export const language = () => tongue;

export function speak(wanted) {
  tongue = [...wanted, "en"].map((code) => `${code}`.slice(0, 2)).find((code) => code in LANGUAGES);
}

/** What is no text's name stands for itself. */
export function t(key, values = {}) {
  const text = key in TEXTS ? TEXTS[key][tongue] : key;
  const [one, other = one] = text.split("|");
  return (values.n === 1 ? one : other).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export const monthName = (month) =>
  new Date(2000, month - 1).toLocaleString(tongue, { month: "long" });

export const list = (parts, word) =>
  [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter(Boolean).join(` ${t(word)} `);

// A narrow space, for readers of Spanish differ on what parts thousands.
const digits = (number) => Math.abs(number).toLocaleString(tongue).replace(/\./g, "\u202f");

export const usd = (amount) => `${amount < 0 ? "−" : ""}$${digits(amount)}`;
export const signed = (n) => (n === 0 ? "±0" : `${n > 0 ? "+" : "−"}${digits(n)}`);
export const change = (amount) => (amount > 0 ? `+${usd(amount)}` : usd(amount));
