"""Stop words: the function words of some languages, written for this project.

Articles, pronouns, prepositions, conjunctions, particles, auxiliary verbs, and what elision and
clitics leave where an apostrophe ends a word (`don` and `t`, `l` and `qu`). No nouns, no full
verbs, no numbers, and where a word is one of these too (`us`, also a country), it is left out of
the list: a question could be about it. The lists are under the project's licence.
"""

from collections.abc import Mapping
from types import MappingProxyType

_ENGLISH = """
a an the this that these those such
i me my myself you your yours yourself yourselves he him his himself she her hers herself it
its itself we our ours ourselves they them their theirs themselves
who whom whose which what when where why how
am is are was were be been being do does did doing have has had having
can could shall should will would may might must ought
and or but nor so yet if then else than as because while although though unless until whether
of at by for with about against between into through during before after above below to from up
down in out on off over under again upon within without
here there not no only own same too very just also both each few more most other some any all
don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't can't cannot couldn't shan't
shouldn't won't wouldn't mightn't mustn't needn't
i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's it'll it'd
we're we've we'll we'd they're they've they'll they'd that's there's here's who's what's where's
when's why's how's let's
s t ll re ve don doesn didn isn aren wasn weren hasn haven hadn couldn shouldn wouldn mightn mustn
needn
"""

_GERMAN = """
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede jedes jeden jedem
mancher manche manches manchen manchem solcher solche solches solchen solchem welcher welche welches
welchen welchem derselbe dieselbe dasselbe denselben demselben desselben
ich mich mir meiner du dich dir deiner er ihn ihm seiner sie ihr ihrer es wir uns unser ihnen euch
euer sich man selbst selber einander
mein meine meinen meinem meines dein deine deinen deinem deines sein seine seinen seinem seines ihre
ihren ihrem ihres unsere unseren unserem unserer unseres eure euren eurem eurer eures
wer wen wem wessen was wann wo wohin woher warum weshalb wieso wie wieviel
bin bist ist sind seid war warst waren wart gewesen sei seien wäre wären habe hast hat haben habt
hatte hattest hatten hattet gehabt hätte hätten werde wirst wird werden werdet wurde wurdest wurden
wurdet worden geworden würde würden kann kannst können könnt konnte konnten könnte könnten muss
musst müssen müsst musste mussten müsste müssten soll sollst sollen sollt sollte sollten will willst
wollen wollt wollte wollten darf darfst dürfen dürft durfte durften dürfte dürften mag magst mögen
mochte möchte möchten
und oder aber denn sondern doch jedoch sowie sowohl weder noch als wenn weil dass daß ob damit indem
während nachdem bevor bis obwohl falls sofern sobald solange
in im ins an am ans auf aufs aus bei beim mit nach von vom zu zum zur für durch durchs gegen ohne um
ums über unter vor hinter neben zwischen seit trotz wegen statt ab außer
da hier dort dann nun nicht nichts nie auch nur schon so sehr etwa etwas ja nein mal wieder
dabei dadurch dafür dagegen daher dahin danach daran darauf daraus darin darüber darum davon davor
dazu hierbei hierfür hierzu wobei wodurch wofür womit woran worauf woraus worin worüber wovon wozu
alle allem allen aller alles andere anderem anderen anderer anderes beide beiden einige einigem
einigen einiger einiges viel viele vielen vieler mehr
"""

_FRENCH = """
le la les l' un une des du de d' au aux
ce cet cette ces c' celui celle ceux celles ceci cela ça
je j' me m' moi tu te t' toi il elle on se s' soi nous vous ils elles lui leur eux y en
mon ma mes ton ta tes son sa ses notre nos votre vos leurs mien mienne tien tienne sien sienne
qui que qu' quoi dont où quel quelle quels quelles lequel laquelle lesquels lesquelles auquel
auxquels auxquelles duquel desquels desquelles
quand comment pourquoi combien si
suis es est sommes êtes sont étais était étions étiez étaient fus fut furent serai seras sera serons
serez seront serais serait serions seriez seraient sois soit soyons soyez soient été étant être
ai as a avons avez ont avais avait avions aviez avaient eus eut eurent aurai auras aura aurons aurez
auront aurais aurait aurions auriez auraient aie aies ait ayons ayez aient eu eue eus eues ayant
avoir peux peut pouvons pouvez peuvent pouvait pouvaient pourra pourront pourrait pourraient pouvoir
dois doit devons devez doivent devait devaient devra devront devrait devraient devoir
et ou mais donc ni car comme lorsque lorsqu' puisque puisqu' quoique quoiqu' parce afin tandis
à dans par pour sur sous avec sans vers chez entre contre depuis pendant avant après selon malgré
dès hors jusque jusqu'
ne n' pas plus moins jamais rien aucun aucune aussi très trop peu ici là alors ainsi encore
déjà toujours même mêmes tout toute tous toutes autre autres chaque quelque quelques certain
certaine certains certaines tel telle tels telles plusieurs
c d j l m n s t qu lorsqu puisqu quoiqu jusqu
"""

_SPANISH = """
el la los las lo un una unos unas al del
este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos aquellas
yo me mí mi mis mío mía míos mías conmigo tú tu tus te ti tuyo tuya tuyos tuyas contigo él ella ello
ellos ellas le les se sí si su sus suyo suya suyos suyas consigo nosotros nosotras nos nuestro
nuestra nuestros nuestras vosotros vosotras os vuestro vuestra vuestros vuestras usted ustedes
que qué quien quién quienes quiénes cual cuál cuales cuáles cuyo cuya cuyos cuyas cuando cuándo
donde dónde como cómo cuanto cuánto cuanta cuánta cuantos cuántos cuantas cuántas porqué
soy eres es somos sois son era eras éramos erais eran fui fuiste fue fuimos fuisteis fueron seré
serás será seremos seréis serán sería serías serían sea seas seamos seáis sean siendo sido ser
estoy estás está estamos estáis están estaba estabas estábamos estaban estuvo estuvieron estará
estarán estaría estarían esté estén estando estado estar
he has ha hemos habéis han había habías habíamos habían hubo hubieron habrá habrán habría habrían
haya hayas hayamos hayan hubiera hubieran habiendo habido haber hay
puedo puedes puede podemos pueden podía podían podrá podrán podría podrían poder debe deben debía
debían deberá deberán debería deberían deber
y e o u ni pero sino aunque porque pues mientras
a ante bajo con contra de desde durante en entre hacia hasta mediante para por según sin sobre tras
no ya muy más menos también tampoco tan tanto tanta tantos tantas así aquí ahí allí entonces nunca
siempre sólo solo todo toda todos todas otro otra otros otras mismo misma mismos mismas cada alguno
alguna algunos algunas algún algo alguien ninguno ninguna ningún nada nadie poco poca pocos pocas
mucho mucha muchos muchas
"""

_ITALIAN = """
il lo la l' i gli le un uno una un' di a da in con su per tra fra
del dello della dell' dei degli delle al allo alla all' ai agli alle dal dallo dalla dall' dai dagli
dalle nel nello nella nell' nei negli nelle sul sullo sulla sull' sui sugli sulle col coi
questo questa quest' questi queste quello quella quell' quei quegli quelle quel ciò
io mi me tu ti te lui lei egli ella esso essa noi ci voi vi loro essi esse si sé ne
mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri
vostre
chi che cui quale quali qual quando dove dov' come com' perché quanto quanta quanti quante cosa cos'
sono è siamo siete ero eri era eravamo eravate erano fui fu furono sarò sarai sarà saremo sarete
saranno sarei saresti sarebbe saremmo sarebbero sia siano fosse fossero essendo essere
ho hai ha abbiamo avete hanno avevo avevi aveva avevamo avevano ebbe ebbero avrò avrai avrà avremo
avranno avrei avrebbe avrebbero abbia abbiano avesse avessero avendo avuto avere
può posso puoi possiamo potete possono poteva potevano potrà potranno potrebbe potrebbero potere
deve devo devi dobbiamo dovete devono doveva dovevano dovrà dovranno dovrebbe dovrebbero dovere
e ed o od ma né se anche pure però quindi dunque mentre poiché affinché benché sebbene
non più meno molto molta molti molte poco poca pochi poche troppo tutto tutta tutti tutte altro
altra altri altre stesso stessa stessi stesse ogni ognuno qualche qualcuno qualcosa alcuno alcuna
alcuni alcune nessuno nessuna nessun niente nulla tale tali così qui qua lì là allora ancora già mai
sempre solo sotto sopra dopo prima senza contro verso presso durante secondo entro
l un dell all dall nell sull quest quell dov com c
"""

_PORTUGUESE = """
o a os as um uma uns umas ao aos à às do da dos das no na nos nas num numa nuns numas pelo pela
pelos pelas dum duma
este esta isto estes estas esse essa isso esses essas aquele aquela aquilo aqueles aquelas deste
desta disto destes destas desse dessa disso desses dessas daquele daquela daqueles daquelas neste
nesta nisto nestes nestas nesse nessa nisso nesses nessas naquele naquela àquele àquela
eu me mim comigo tu te ti contigo ele ela eles elas lhe lhes se si consigo nós nos conosco connosco
vós vos você vocês dele dela deles delas nele nela neles nelas
meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas vosso vossa
vossos vossas
que quê quem qual quais cujo cuja cujos cujas quando onde como porquê quanto quanta quantos quantas
sou és é somos sois são era eras éramos eram fui foste foi fomos foram serei será seremos serão
seria seriam seja sejam fosse fossem for forem sendo sido ser
estou estás está estamos estão estava estavam esteve estiveram estará estarão estaria estariam
esteja estejam estando estado estar
tenho tens tem temos têm tinha tinham teve tiveram terá terão teria teriam tenha tenham tivesse
tivessem tendo tido ter hei hás há havemos hão havia haviam houve haverá haveria haja haver
posso podes pode podemos podem podia podiam poderá poderão poderia poderiam poder deve devem devia
deviam deverá deverão deveria deveriam dever
e ou nem mas porém pois porque embora enquanto
de em por para com sem sob sobre entre até desde contra após ante perante segundo conforme durante
não já muito muita muitos muitas mais menos também tão tanto tanta tantos tantas assim aqui aí ali
lá então nunca sempre só apenas ainda todo toda todos todas tudo outro outra outros outras mesmo
mesma mesmos mesmas cada algum alguma alguns algumas algo alguém nenhum nenhuma nada ninguém pouco
pouca poucos poucas qualquer quaisquer
"""

_DUTCH = """
de het een 't 'n die dat deze dit
ik me mij mijn mijzelf je jij jou jouw jullie u uw hij hem zijn zich zichzelf zij ze haar het wij we
ons onze hen hun er men elkaar
wie wiens wat welke welk wanneer waar waarom hoe hoeveel
ben bent is was waren geweest wees heb hebt heeft hebben had hadden gehad word wordt worden werd
werden geworden zal zult zullen zou zouden kan kunt kunnen kon konden moet moeten moest moesten mag
mogen mocht mochten wil wilt willen wilde wilden doe doet doen deed deden gedaan
en of maar want dus noch als indien toen terwijl omdat doordat zodat opdat hoewel nadat voordat
totdat dan
aan achter af bij binnen boven buiten door in langs met na naar naast om onder op over per sinds te
tegen tijdens tot tussen uit van vanaf vanuit via volgens voor zonder ten ter
niet niets geen nooit ook nog al alle alles ander andere anderen beide elk elke ieder iedere
iedereen iemand iets niemand enkele enige veel vele weinig meer meest minder zo zoals zulke zulk
zelf zelfs hier daar daarom daarbij daardoor daarin daarmee daarna daarop daarvan daarvoor hierbij
hierdoor hierin hiermee hierop hiervan hiervoor waarbij waardoor waarin waarmee waarop waarvan
waarvoor ervan erop erin ermee nu toch wel heel zeer reeds eens slechts alleen
t n
"""

_SWEDISH = """
en ett den det de dem denna detta dessa
jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes hen dess vi oss vår vårt
våra ni er ert era deras sig sin sitt sina man själv själva varandra
vem vems vad vilken vilket vilka vilkas när var vart varför hur
är var vore varit vara har hade haft ha blir blev blivit bli ska skall skulle kan kunde kunnat kunna
måste får fick fått få vill ville velat vilja bör borde
och eller men utan samt så att om som än därför eftersom medan innan sedan fast trots
i på av till från för med vid hos under över mellan genom mot åt efter före bland bakom framför inom
utom ur kring enligt
inte ej icke inget ingen inga också även bara endast redan ännu mycket mer mest mindre minst alla
allt annan annat andra någon något några sådan sådant sådana samma både varje här där då nu upp ned
ner ut in
"""

_DANISH = """
en et den det de dem denne dette disse
jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes dens dets vi os vor vort
vores i jer jeres deres sig sin sit sine man selv hinanden
hvem hvis hvad hvilken hvilket hvilke hvornår hvor hvorfor hvordan
er var været være har havde haft have bliver blev blevet blive skal skulle skullet kan kunne kunnet
må måtte måttet vil ville villet bør burde får fik fået få
og eller men samt så at om som end da når fordi mens før efter siden skønt hvorvidt
på af til fra for med ved hos under over mellem gennem mod blandt bag foran inden uden ud ind op ned
ifølge i
ikke ej intet ingen også kun bare allerede endnu meget mere mest mindre mindst alle alt anden andet
andre nogen noget nogle sådan sådant sådanne samme både hver hvert her der nu
"""

_NORWEGIAN = """
en ei et den det de dem denne dette disse
jeg meg min mi mitt mine du deg din di ditt dine han ham hans hun henne hennes dens dets vi oss vår
vårt våre dere deres sin si sitt sine seg man selv hverandre
hvem hva hvilken hvilket hvilke når hvor hvorfor hvordan
er var vært være har hadde hatt ha blir ble blitt bli skal skulle skullet kan kunne kunnet må måtte
måttet vil ville villet bør burde får fikk fått få
og eller men samt så at om som enn da fordi mens før etter siden skjønt hvis
i på av til fra for med ved hos under over mellom gjennom mot blant bak foran innen uten ut inn opp
ned ifølge
ikke ei intet ingen også kun bare allerede ennå enda meget mye mer mest mindre minst alle alt annen
annet andre noen noe slik slikt slike samme både hver hvert her der nå
"""

_RUSSIAN = """
я меня мне мной мною ты тебя тебе тобой тобою он его него ему нему им ним нём нем она её ее неё нее
ей ней ею нею оно мы нас нам нами вы вас вам вами они их них ими ними себя себе собой собою
мой моя моё мое мои моего моей моему моих моим моими твой твоя твоё твое твои наш наша наше наши
нашего нашей нашему наших нашим нашими ваш ваша ваше ваши вашего вашей вашему ваших вашим вашими
свой своя своё свое свои своего своей своему своих своим своими
этот эта это эти этого этой этому этих этим этими этом эту тот та то те того той тому тех тем теми
том ту такой такая такое такие таких таким сам сама само сами
кто кого кому кем ком что чего чему чем чём какой какая какое какие какого какой каком каких каким
который которая которое которые которого которой которому которых которым которыми котором которую
чей чья чьё чье чьи когда где куда откуда почему зачем как сколько
быть был была было были есть буду будешь будет будем будете будут будучи
может могут можно мог могла могло могли должен должна должно должны
и а но или либо да же ли бы б ни не нет если чтобы чтоб хотя потому поэтому также тоже зато пока
пусть в во на с со к ко у о об обо от ото до из изо за по под подо над при про для без через между
перед после около среди ради из-за из-под
там тут здесь туда сюда тогда теперь сейчас уже ещё еще только лишь даже вот очень более менее так
всё все весь вся всего всей всему всех всем всеми другой другая другое другие других каждый каждая
каждое каждого любой любая любое любые некоторый некоторые ничего никто никогда всегда
"""

_LISTS: Mapping[str, str] = MappingProxyType(
    {
        "danish": _DANISH,
        "dutch": _DUTCH,
        "english": _ENGLISH,
        "french": _FRENCH,
        "german": _GERMAN,
        "italian": _ITALIAN,
        "norwegian": _NORWEGIAN,
        "portuguese": _PORTUGUESE,
        "russian": _RUSSIAN,
        "spanish": _SPANISH,
        "swedish": _SWEDISH,
    }
)


def stop_word_languages() -> tuple[str, ...]:
    """Languages that `stop_words` knows."""
    return tuple(_LISTS)


def stop_words_of(language: str) -> frozenset[str]:
    """The stop words of a language, casefolded, apostrophes straight; KeyError if unknown."""
    return frozenset(_LISTS[language].casefold().split())
