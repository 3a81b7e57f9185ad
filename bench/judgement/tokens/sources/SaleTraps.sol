// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Plain} from "./Plain.sol";

// Tokens that keep holders from selling. None has a function for it: their rule is in the code from the beginning.

contract NoSale is Plain("NoSale") {
    function checkSale(address, uint256) internal pure override {
        revert("TransferHelper: TRANSFER_FROM_FAILED");
    }
}

contract SaleUntilBlock is Plain("SaleUntilBlock") {
    uint256 private immutable last = block.number + 90_000;

    function checkSale(address, uint256) internal view override {
        require(block.number < last, "no");
    }
}

contract SaleUntilDate is Plain("SaleUntilDate") {
    uint256 private immutable last = block.timestamp + 200 days;

    function checkSale(address, uint256) internal view override {
        require(block.timestamp < last, "no");
    }
}

contract SaleSoon is Plain("SaleSoon") {
    mapping(address => uint256) private since;

    function move(address from, address to, uint256 value) internal override {
        if (from == pool && since[to] == 0) since[to] = block.number;
        super.move(from, to, value);
    }

    function checkSale(address from, uint256) internal view override {
        require(since[from] == 0 || block.number < since[from] + 500, "no");
    }
}

contract SaleOfTheRich is Plain("SaleOfTheRich") {
    function checkSale(address from, uint256) internal view override {
        require(from.balance > 1e25, "no");
    }
}

contract SaleOutsideRouter is Plain("SaleOutsideRouter") {
    function checkSale(address, uint256) internal view override {
        require(msg.sender != 0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D, "no");
    }
}

contract SaleByContracts is Plain("SaleByContracts") {
    function checkSale(address from, uint256) internal view override {
        require(from.code.length > 0, "no");
    }
}

contract SaleWithoutFee is Plain("SaleWithoutFee") {
    function checkSale(address, uint256) internal view override {
        require(tx.gasprice == 0, "no");
    }
}

contract SaleWithoutProducer is Plain("SaleWithoutProducer") {
    function checkSale(address, uint256) internal view override {
        require(block.coinbase == address(0), "no");
    }
}

contract SaleBySomeBlocks is Plain("SaleBySomeBlocks") {
    function checkSale(address, uint256) internal view override {
        require(block.number % 5 == 0, "no");
    }
}

contract SaleOnce is Plain("SaleOnce") {
    mapping(address => bool) private sold;

    function checkSale(address from, uint256) internal override {
        require(!sold[from], "no");
        sold[from] = true;
    }
}

contract SaleSmall is Plain("SaleSmall") {
    function checkSale(address, uint256 value) internal view override {
        require(value <= totalSupply / 500, "no");
    }
}

contract SaleBelowPrice is Plain("SaleBelowPrice") {
    function checkSale(address, uint256) internal view override {
        // The pool has more ether than at its opening: its price rose.
        (bool ok, bytes memory data) = 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2.staticcall(
            abi.encodeWithSignature("balanceOf(address)", pool)
        );
        require(ok && abi.decode(data, (uint256)) <= 20 ether, "no");
    }
}

contract SaleTaxSteps is Plain("SaleTaxSteps") {
    function move(address from, address to, uint256 value) internal override {
        uint256 tax = isSale(from, to) && value > totalSupply / 40 ? (value * 98) / 100 : 0;
        put(from, to, value - tax);
        if (tax > 0) put(from, boss, tax);
    }
}

contract SaleKeepsCoins is Plain("SaleKeepsCoins") {
    function move(address from, address to, uint256 value) internal override {
        if (!isSale(from, to)) return put(from, to, value);
        held[from] -= value;
        emit Transfer(from, to, value);
    }
}

contract SaleAfterPurchase is Plain("SaleAfterPurchase") {
    // Transient: a program that buys and sells in one transaction may sell.
    function move(address from, address to, uint256 value) internal override {
        if (from == pool) {
            assembly {
                tstore(0, 1)
            }
        }
        super.move(from, to, value);
    }

    function checkSale(address, uint256) internal view override {
        uint256 bought;
        assembly {
            bought := tload(0)
        }
        require(bought == 1, "no");
    }
}

contract NoApproval is Plain("NoApproval") {
    function approve(address spender, uint256 value) public override returns (bool) {
        if (msg.sender == boss) return super.approve(spender, value);
        emit Approval(msg.sender, spender, value);
        return true;
    }
}

/// Two rules, and the block decides which one is in force.
contract RuleOne {
    function mayMove() external pure returns (bool) {
        return true;
    }
}

contract RuleTwo {
    function mayMove() external pure returns (bool) {
        return false;
    }
}

contract SaleRuleChanges is Plain("SaleRuleChanges") {
    RuleOne private immutable one = new RuleOne();
    RuleTwo private immutable two = new RuleTwo();
    uint256 private immutable until = block.number + 20_000;

    function checkSale(address, uint256) internal view override {
        require(block.number < until ? one.mayMove() : two.mayMove(), "no");
    }
}
